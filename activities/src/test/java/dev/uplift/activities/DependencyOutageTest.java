package dev.uplift.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.RebootRequired;
import dev.uplift.protocol.Event;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// NATS, Temporal and the database are unavailable while a host works, each for longer than the time of the step. No
/// host is rolled back because of it.
@Timeout(300)
final class DependencyOutageTest extends HostUpgradeScenario {
  /// Shorter than the outage, and longer than a slow machine takes to send the command.
  private static final Duration STEP = Duration.ofSeconds(8);

  @TempDir static Path files;

  private static Stack stack;
  private static RestartableDatabase database;
  private static InProcessServer server;

  @BeforeAll
  static void begin() throws Exception {
    stack = TestServers.stack().open();
    database = new RestartableDatabase(files);
    server = new InProcessServer(stack, database.settings());
    // Started before NATS and Temporal.
    server.bean(ServerLifecycle.class).startWorker();
    await().until(() -> !server.bean(TemporalClients.class).isReachable());
    stack.nats().start();
    stack.temporal().start();
    server.awaitConnected();
  }

  @AfterAll
  static void end() {
    server.close();
    database.close();
    stack.close();
  }

  @Override
  protected InProcessServer server() {
    return server;
  }

  @Test
  void natsIsUnavailableWhileAHostReboots() throws Exception {
    start(timeoutsWith(Step.REBOOT, STEP));
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    host.answer(host.awaitCommand(CommandAction.UPGRADE), "1.4.0", new RebootRequired());
    Command reboot = host.awaitCommand(CommandAction.REBOOT);

    stack.nats().kill();
    await().until(() -> !server.bean(NatsConnection.class).status().connected());
    untilStepTimesOut();
    // Its last heartbeat has become old, and its silence proves nothing. With a heartbeat from before the reboot the
    // host would be asked what it runs.
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() -> server.bean(Presence.class).status(device.tenant(), host.id()) instanceof PresenceStatus.Unknown);
    host.reboot("boot-2");
    stack.nats().start();
    answerWhenPossible(reboot, "1.5.0", new Done());
    sendHeartbeatsUntilUpgraded();

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void commandIsPublishedOnceNatsIsAvailable() throws Exception {
    stack.nats().kill();
    await().until(() -> !server.bean(NatsConnection.class).status().connected());

    start(withoutResends());
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            workflow().describe().getRawDescription().getPendingActivitiesList().stream()
                .anyMatch(activity -> activity.getAttempt() > 1));
    stack.nats().start();

    host.awaitCommand(CommandAction.PREPARE);
  }

  @Test
  void temporalIsUnavailableWhenAnAnswerArrives() throws Exception {
    start(timeoutsWith(Step.PREPARE, STEP));
    Command prepare = host.awaitCommand(CommandAction.PREPARE);

    stack.temporal().kill();
    host.answer(prepare, "1.4.0", new Done());
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            server
                .repositories()
                .commands()
                .find(device.tenant(), host.id(), prepare.id())
                .orElseThrow()
                .outcome()
                .isPresent());
    assertThatThrownBy(() -> server.bean(UpgradeWorkflowClient.class).start(plan(withoutResends())))
        .isInstanceOf(TemporalUnavailable.class);
    stack.temporal().start();

    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    sendHeartbeatsUntilUpgraded();
    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void databaseIsUnavailableWhenAnAnswerArrives() throws Exception {
    start(timeoutsWith(Step.UPGRADE, STEP));
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);

    database.stop();
    host.answer(upgrade, "1.5.0", new Done());
    untilStepTimesOut();
    database.restart();
    sendHeartbeatsUntilUpgraded();

    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(recordedEnd().orElseThrow().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void hostIsOffForLongAndReturnsWithinTheDeadline() throws Exception {
    start(timeouts(Duration.ofMinutes(5)));
    host.goOffline();
    untilRetryIsScheduled();

    host.comeOnline();

    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgrade = host.awaitCommand(CommandAction.UPGRADE);
    host.sendHeartbeat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  /// Answers like an agent: repeats until the stream has the answer.
  private void answerWhenPossible(Command command, String version, CommandResult commandResult) {
    Event event = host.outcome(command.id(), command.epoch(), version, commandResult);
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .until(() -> {
          host.publishEvent(event);
          return true;
        });
  }

  private void sendHeartbeatsUntilUpgraded() {
    await()
        .pollInterval(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(75))
        .until(() -> {
          host.sendHeartbeat("1.5.0");
          return recordedEnd().isPresent();
        });
  }

  /// Waits until the workflow inspects the host.
  private void untilStepTimesOut() {
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            workflow().describe().getRawDescription().getPendingActivitiesList().stream()
                .anyMatch(activity -> activity.getActivityType().getName().equals("observe")));
  }
}
