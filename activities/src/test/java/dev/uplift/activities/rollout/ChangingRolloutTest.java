package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.Steered;
import dev.uplift.activities.window.WindowTexts;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Retries;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.fleet.window.Window;
import dev.uplift.store.RolloutWait;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.rollout.SteerWish;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// What changes while a rollout runs: windows, rules, who matches, and hosts that come round.
final class ChangingRolloutTest extends RolloutScenario {
  @Test
  void deviceOutsideItsWindowIsAwaitedAndAChangedWindowIsSeen(TestInfo info) {
    String fleet = fleet(info, 2);
    world.register(fleet, fleet + "-night", opensIn(Duration.ofHours(6)));
    RolloutId id = world.start(inOneWave(fleet, 100));

    await().atMost(RolloutWorld.PATIENCE).until(() -> waitsFor(id, Waiting.WINDOW));
    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.ENDED) == 2);
    RolloutWait wait = world.row(id).waiting().orElseThrow();
    assertThat(wait.sentence()).contains(fleet + "-night", "its window opens at");
    assertThat(wait.until().orElseThrow()).isAfter(Instant.now().plus(Duration.ofHours(5)));

    world.register(fleet, fleet + "-night", opensIn(Duration.ofHours(-1)));
    world.lookAgain(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  private static boolean waitsFor(RolloutId id, Waiting what) {
    return world.row(id).waiting().filter(wait -> wait.what() == what).isPresent();
  }

  /// Every day, for four hours.
  static String opensIn(Duration time) {
    LocalTime opens =
        LocalTime.ofInstant(Instant.now().plus(time), ZoneOffset.UTC)
            .truncatedTo(ChronoUnit.MINUTES);
    return WindowTexts.write(
        List.of(
            Window.of(
                EnumSet.allOf(DayOfWeek.class), opens, Optional.empty(), Duration.ofHours(4))));
  }

  @Test
  void failureOfAClassThatMayPassIsTriedAgainByItself(TestInfo info) {
    String fleet = fleet(info, 3);
    world.hosts.failOnce(names(fleet, 3));
    RolloutPlan plan = inOneWave(fleet, 100);

    RolloutId id =
        world.start(
            new RolloutRules(
                    plan.limits(),
                    plan.thresholds(),
                    new Retries(Map.of(ErrorClass.DECLINED, 2), Duration.ZERO))
                .in(plan));

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.targets(id)).extracting(TargetRow::attempt).containsOnly(2);
    assertThat(world.targets(id))
        .extracting(target -> target.error().orElseThrow().code())
        .containsOnly("no-network");
  }

  @Test
  void whoMatchesLaterIsTakenIn(TestInfo info) {
    String fleet = fleet(info, 2);
    RolloutPlan plan = inOneWave(fleet, 100);
    RolloutId id = world.create(withLateJoiners(plan));
    world.register(fleet, fleet + "-late", "");

    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.targets(id)).extracting(TargetRow::device).contains(fleet + "-late");
  }

  @Test
  void rulesMayChangeWhileItRuns(TestInfo info) {
    String fleet = fleet(info, 8);
    world.hosts.holdUp();
    RolloutPlan plan = inOneWave(fleet, 2);
    RolloutId id = world.start(plan);
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 2);

    assertThat(world.steer(id, rules("c1", plan, 0)))
        .isEqualTo(new Steered.Refused("/limits/max_parallel: expected at least 1, found 0"));
    assertThat(world.steer(id, rules("c2", plan, 6))).isInstanceOf(Steered.Done.class);

    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 6);
    world.hosts.goOn();
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  private static SteerWish rules(String wish, RolloutPlan plan, int parallel) {
    return new SteerWish(
        wish,
        Steer.CHANGE_RULES,
        "bob",
        "",
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Optional.of(
            RolloutTexts.write(
                new RolloutRules(limits(parallel), plan.thresholds(), plan.retries()))));
  }
}
