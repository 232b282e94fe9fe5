package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.NatsTestHost;
import dev.uplift.fleet.Outcome;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.HandoverRequired;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.services.TestStacks;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.temporaldev.stack.Stack;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// One agent hands over to another, and the server is restarted between any two steps.
final class AgentHandoverRestartTest extends HostUpgradeScenario {
  private static final String NEXT = "next";
  private static final DatabaseSettings DATABASE = DatabaseSettings.h2InMemory();

  private static Stack stack;
  private static InProcessServer keepsTheDatabase;
  private static InProcessServer server;

  /// Sends the current heartbeats of the host's agents, periodically.
  private volatile HeartbeatSender heartbeats = () -> {};

  /// Sends heartbeats.
  private interface HeartbeatSender {
    void send() throws Exception;
  }

  @BeforeAll
  static void begin() {
    stack = TestStacks.open();
    stack.nats().start();
    stack.temporal().start();
    keepsTheDatabase = new InProcessServer(stack, DATABASE);
    server = new InProcessServer(stack, DATABASE).startWorker();
  }

  @AfterAll
  static void end() {
    server.close();
    keepsTheDatabase.close();
    stack.close();
  }

  @Override
  protected InProcessServer server() {
    return server;
  }

  @Test
  void noMessageIsLostAndNoneIsSentTwice() throws Exception {
    String old = host.instance();
    heartbeats = () -> host.sendHeartbeatOf(old, State.RUNNING, "1.4.0", false);
    try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
      var _ = clock.scheduleWithFixedDelay(this::beat, 0, 300, TimeUnit.MILLISECONDS);
      start(timeouts(Duration.ofMinutes(5)));
      answerWhileTheServerIsDown(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
      heartbeats = () -> host.sendHeartbeatOf(old, State.CUTOVER_READY, "1.4.0", false);
      answerWhileTheServerIsDown(host.awaitCommand(CommandAction.UPGRADE), "1.4.0", new HandoverRequired());
      awaitExpectation();
      restartServer();
      heartbeats =
          () -> {
            host.sendHeartbeatOf(old, State.CUTOVER_READY, "1.4.0", false);
            host.sendHeartbeatOf(NEXT, State.STANDBY, "1.5.0", true);
          };
      Command stop = host.awaitCommand(CommandAction.STOP);
      assertThat(stop.instance()).isEqualTo(old);
      heartbeats = () -> {};
      answerWhileTheServerIsDown(stop, "1.4.0", new Done());
      awaitExpectation();
      restartServer();
      host.switchInstance(NEXT);
      heartbeats = () -> host.sendHeartbeatOf(NEXT, State.RUNNING, "1.5.0", true);
      answerWhileTheServerIsDown(host.awaitCommand(CommandAction.COMMIT), "1.5.0", new Done());

      assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
      assertThat(host.allCommands().stream().map(Command::id).distinct()).hasSize(4);
      clock.shutdownNow();
    }
  }

  @Test
  void unansweredStopIsCompletedByTheNextServer() throws Exception {
    String old = host.instance();
    start(timeouts(Duration.ofMinutes(5)));
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    host.answer(host.awaitCommand(CommandAction.UPGRADE), "1.4.0", new HandoverRequired());
    NatsTestHost left = host;
    heartbeats = () -> left.sendHeartbeatOf(NEXT, State.STANDBY, "1.5.0", true);
    try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
      var _ = clock.scheduleWithFixedDelay(this::beat, 0, 300, TimeUnit.MILLISECONDS);
      assertThat(host.awaitCommand(CommandAction.STOP).instance()).isEqualTo(old);

      server.close();
      host.switchInstance(NEXT);
      heartbeats = () -> left.sendHeartbeatOf(NEXT, State.RUNNING, "1.5.0", true);
      server = new InProcessServer(stack, DATABASE).startWorker();

      host.answer(host.awaitCommand(CommandAction.COMMIT), "1.5.0", new Done());
      assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
      clock.shutdownNow();
    }
  }

  private void beat() {
    try {
      heartbeats.send();
    } catch (Exception _) {
      // The next heartbeat follows.
    }
  }

  private void answerWhileTheServerIsDown(Command command, String version, CommandResult commandResult)
      throws Exception {
    server.close();
    host.answer(command, version, commandResult);
    server = new InProcessServer(stack, DATABASE).startWorker();
  }

  private static void restartServer() {
    server.close();
    server = new InProcessServer(stack, DATABASE).startWorker();
  }

  private void awaitExpectation() {
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() -> server.repositories().heartbeatWaits().find(device.tenant(), host.id()).isPresent());
  }
}
