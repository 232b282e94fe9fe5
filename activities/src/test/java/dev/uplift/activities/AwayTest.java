package dev.uplift.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.presence.Seen;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.Result.Done;
import dev.uplift.protocol.Result.RebootRequired;
import dev.uplift.temporaldev.Stack;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// NATS, Temporal and the database go away while a host works, each for longer than its step is
/// given. Nobody is rolled back for it.
@Timeout(300)
final class AwayTest extends Scenario {
  /// Shorter than what is away, and longer than a slow machine takes to order the step.
  private static final Duration STEP = Duration.ofSeconds(8);

  @TempDir static Path files;

  private static Stack stack;
  private static RestartedDatabase database;
  private static World world;

  @BeforeAll
  static void begin() throws Exception {
    stack = Stack.temporary().open();
    database = new RestartedDatabase(files);
    world = new World(stack, database.settings());
    // Neither NATS nor Temporal is there when it begins.
    world.wiring().startWorker();
    await().until(() -> !world.wiring().temporal().answers());
    stack.nats().start();
    stack.temporal().start();
    world.awaitUp();
  }

  @AfterAll
  static void end() {
    world.close();
    database.close();
    stack.close();
  }

  @Override
  protected World world() {
    return world;
  }

  @Test
  void natsIsAwayWhileAHostReboots() throws Exception {
    start(paceWith(Step.REBOOT, STEP));
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    host.answer(host.next(Action.UPGRADE), "1.4.0", new RebootRequired());
    Command reboot = host.next(Action.REBOOT);

    stack.nats().kill();
    await().until(() -> !world.wiring().nats().state().up());
    assertThat(world.wiring().presence().of(device.tenant(), host.id()))
        .as("its silence says nothing")
        .isNotInstanceOf(Seen.Silent.class);
    awaitTimeOut();
    host.boots("boot-2");
    stack.nats().start();
    answerAtLast(reboot, "1.5.0", new Done());
    beatUntilUpgraded();

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void commandIsSentOnceNatsIsThere() throws Exception {
    stack.nats().kill();
    await().until(() -> !world.wiring().nats().state().up());

    start(withoutResends());
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            workflow().describe().getRawDescription().getPendingActivitiesList().stream()
                .anyMatch(activity -> activity.getAttempt() > 1));
    stack.nats().start();

    host.next(Action.PREPARE);
  }

  @Test
  void temporalIsAwayWhenAnAnswerComes() throws Exception {
    start(paceWith(Step.PREPARE, STEP));
    Command prepare = host.next(Action.PREPARE);

    stack.temporal().kill();
    host.answer(prepare, "1.4.0", new Done());
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            world
                .tables()
                .commands()
                .find(device.tenant(), host.id(), prepare.id())
                .orElseThrow()
                .outcome()
                .isPresent());
    assertThatThrownBy(() -> world.wiring().starter().start(plan(withoutResends())))
        .isInstanceOf(TemporalAway.class);
    stack.temporal().start();

    Command upgrade = host.next(Action.UPGRADE);
    host.beat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    beatUntilUpgraded();
    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void databaseIsAwayWhenAnAnswerComes() throws Exception {
    start(paceWith(Step.UPGRADE, STEP));
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);

    database.goesAway();
    host.answer(upgrade, "1.5.0", new Done());
    awaitTimeOut();
    database.comesBack();
    beatUntilUpgraded();

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(recorded().orElseThrow().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void hostIsOffForLongAndBackInsideTheDeadline() throws Exception {
    start(pace(Duration.ofMinutes(5)));
    host.goesOff();
    awaitBackOff();

    host.comesBack();

    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);
    host.beat("1.5.0");
    host.answer(upgrade, "1.5.0", new Done());
    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  /// As an agent does: until the stream has it.
  private void answerAtLast(Command command, String version, Result result) {
    Event event = host.outcome(command.id(), command.epoch(), version, result);
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .until(() -> {
          host.say(event);
          return true;
        });
  }

  private void beatUntilUpgraded() {
    await()
        .pollInterval(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(75))
        .until(() -> {
          host.beat("1.5.0");
          return recorded().isPresent();
        });
  }

  /// Until the workflow asks itself what became of a step.
  private void awaitTimeOut() {
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            workflow().describe().getRawDescription().getPendingActivitiesList().stream()
                .anyMatch(activity -> activity.getActivityType().getName().equals("look")));
  }
}
