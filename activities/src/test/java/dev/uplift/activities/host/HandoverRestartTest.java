package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostByHand;
import dev.uplift.activities.Scenario;
import dev.uplift.activities.TestServers;
import dev.uplift.activities.World;
import dev.uplift.fleet.Outcome;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.Result.Done;
import dev.uplift.protocol.Result.HandoverRequired;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// One agent makes way for another, and our server is started anew between each two steps of it.
final class HandoverRestartTest extends Scenario {
  private static final String NEXT = "next";
  private static final DatabaseSettings DATABASE = DatabaseSettings.inMemory();

  private static Stack stack;
  private static World keepsTheDatabase;
  private static World world;

  /// What the agents of the host say of themselves at the moment, every now and then.
  private volatile Beats beats = () -> {};

  /// What is said.
  private interface Beats {
    void say() throws Exception;
  }

  @BeforeAll
  static void begin() {
    stack = TestServers.open();
    stack.nats().start();
    stack.temporal().start();
    keepsTheDatabase = new World(stack, DATABASE);
    world = new World(stack, DATABASE).works();
  }

  @AfterAll
  static void end() {
    world.close();
    keepsTheDatabase.close();
    stack.close();
  }

  @Override
  protected World world() {
    return world;
  }

  @Test
  void nothingIsLostAndNothingIsSaidTwice() throws Exception {
    String old = host.instance();
    beats = () -> host.beatOf(old, State.RUNNING, "1.4.0", false);
    try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
      var _ = clock.scheduleWithFixedDelay(this::beat, 0, 300, TimeUnit.MILLISECONDS);
      start(pace(Duration.ofMinutes(5)));
      whileTheServerIsAway(host.next(Action.PREPARE), "1.4.0", new Done());
      beats = () -> host.beatOf(old, State.CUTOVER_READY, "1.4.0", false);
      whileTheServerIsAway(host.next(Action.UPGRADE), "1.4.0", new HandoverRequired());
      awaitExpectation();
      startAnew();
      beats =
          () -> {
            host.beatOf(old, State.CUTOVER_READY, "1.4.0", false);
            host.beatOf(NEXT, State.STANDBY, "1.5.0", true);
          };
      Command stop = host.next(Action.STOP);
      assertThat(stop.instance()).isEqualTo(old);
      beats = () -> {};
      whileTheServerIsAway(stop, "1.4.0", new Done());
      awaitExpectation();
      startAnew();
      host.becomes(NEXT);
      beats = () -> host.beatOf(NEXT, State.RUNNING, "1.5.0", true);
      whileTheServerIsAway(host.next(Action.COMMIT), "1.5.0", new Done());

      assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
      assertThat(host.all().stream().map(Command::id).distinct()).hasSize(4);
      clock.shutdownNow();
    }
  }

  @Test
  void stopThatNobodyAnswersIsNoticedByTheNextServer() throws Exception {
    String old = host.instance();
    start(pace(Duration.ofMinutes(5)));
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    host.answer(host.next(Action.UPGRADE), "1.4.0", new HandoverRequired());
    HostByHand left = host;
    beats = () -> left.beatOf(NEXT, State.STANDBY, "1.5.0", true);
    try (ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
      var _ = clock.scheduleWithFixedDelay(this::beat, 0, 300, TimeUnit.MILLISECONDS);
      assertThat(host.next(Action.STOP).instance()).isEqualTo(old);

      world.close();
      host.becomes(NEXT);
      beats = () -> left.beatOf(NEXT, State.RUNNING, "1.5.0", true);
      world = new World(stack, DATABASE).works();

      host.answer(host.next(Action.COMMIT), "1.5.0", new Done());
      assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
      clock.shutdownNow();
    }
  }

  private void beat() {
    try {
      beats.say();
    } catch (Exception _) {
      // It is one of many.
    }
  }

  private void whileTheServerIsAway(Command command, String version, Result result)
      throws Exception {
    world.close();
    host.answer(command, version, result);
    world = new World(stack, DATABASE).works();
  }

  private static void startAnew() {
    world.close();
    world = new World(stack, DATABASE).works();
  }

  private void awaitExpectation() {
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() -> world.tables().expectations().find(device.tenant(), host.id()).isPresent());
  }
}
