package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.RetryPolicy;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.rollout.RolloutAction;
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

/// Changes while a rollout runs: windows, rules, matching devices, and hosts that recover.
final class RolloutChangesTest extends RolloutScenario {
  @Test
  void deviceOutsideItsWindowIsAwaitedAndAChangedWindowApplies(TestInfo info) {
    String fleet = fleet(info, 2);
    worker.register(fleet, fleet + "-night", opensIn(Duration.ofHours(6)));
    RolloutId id = worker.start(inOneWave(fleet, 100));

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> waitsFor(id, WaitReason.WINDOW));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.countIn(id, TargetState.ENDED) == 2);
    RolloutWait wait = worker.row(id).waiting().orElseThrow();
    assertThat(wait.message()).contains(fleet + "-night", "its window opens at");
    assertThat(wait.until().orElseThrow()).isAfter(Instant.now().plus(Duration.ofHours(5)));

    worker.register(fleet, fleet + "-night", opensIn(Duration.ofHours(-1)));
    worker.recheck(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  private static boolean waitsFor(RolloutId id, WaitReason reason) {
    return worker.row(id).waiting().filter(wait -> wait.reason() == reason).isPresent();
  }

  /// Returns a daily window of four hours.
  static String opensIn(Duration time) {
    LocalTime opens = LocalTime.ofInstant(Instant.now().plus(time), ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES);
    return WindowJson.write(
        List.of(Window.of(EnumSet.allOf(DayOfWeek.class), opens, Optional.empty(), Duration.ofHours(4))));
  }

  @Test
  void retryableFailureIsRetriedAutomatically(TestInfo info) {
    String fleet = fleet(info, 3);
    worker.hosts.failOnce(names(fleet, 3));
    RolloutPlan plan = inOneWave(fleet, 100);

    RolloutId id =
        worker.start(
            new RolloutRules(
                    plan.limits(), plan.thresholds(), new RetryPolicy(Map.of(ErrorClass.DECLINED, 2), Duration.ZERO))
                .applyTo(plan));

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.targets(id)).extracting(TargetRow::attempt).containsOnly(2);
    assertThat(worker.targets(id)).extracting(target -> target.error().orElseThrow().code()).containsOnly("no-network");
  }

  @Test
  void deviceThatMatchesLaterIsIncluded(TestInfo info) {
    String fleet = fleet(info, 2);
    RolloutPlan plan = inOneWave(fleet, 100);
    RolloutId id = worker.create(withLateJoiners(plan));
    worker.register(fleet, fleet + "-late", "");

    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.targets(id)).extracting(TargetRow::device).contains(fleet + "-late");
  }

  @Test
  void rulesMayBeChangedWhileItRuns(TestInfo info) {
    String fleet = fleet(info, 8);
    worker.hosts.blockPrepare();
    RolloutPlan plan = inOneWave(fleet, 2);
    RolloutId id = worker.start(plan);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 2);

    assertThat(worker.update(id, rules("c1", plan, 0)))
        .isEqualTo(new UpdateResult.Rejected("/limits/max_parallel: expected at least 1, found 0"));
    assertThat(worker.update(id, rules("c2", plan, 6))).isInstanceOf(UpdateResult.Completed.class);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 6);
    worker.hosts.unblock();
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  private static RolloutAction rules(String requestId, RolloutPlan plan, int parallel) {
    return new RolloutAction(
        requestId,
        OperatorAction.CHANGE_RULES,
        "bob",
        "",
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.of(RolloutJson.write(new RolloutRules(limits(parallel), plan.thresholds(), plan.retries()))));
  }
}
