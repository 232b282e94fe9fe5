package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.Thresholds;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Rollouts that start at a time, and devices that join later: limits and thresholds are those of all others.
final class LateJoinersTest extends RolloutScenario {
  private static RolloutPlan startingAt(RolloutPlan plan, Instant startAt) {
    return new RolloutPlan(
        plan.release(),
        plan.selection(),
        plan.everything(),
        plan.waves(),
        plan.limits(),
        plan.thresholds(),
        plan.retries(),
        plan.window(),
        plan.lateJoiners(),
        Optional.of(startAt),
        plan.notAfter(),
        plan.priority(),
        plan.onBusy());
  }

  private static void awaitTargets(RolloutId id, int devices) {
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.targets(id).size() == devices);
  }

  @Test
  void aPlannedRolloutStartsNothingBeforeItsTime(TestInfo info) {
    String fleet = fleet(info, 2);
    Instant startAt = Instant.now().plusSeconds(10);

    RolloutId id = worker.start(startingAt(inOneWave(fleet, 2), startAt));

    RolloutRow planned = worker.awaitState(id, RolloutState.PLANNED);
    assertThat(planned.currentWave()).isZero();
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.targets(id)).allMatch(target -> !target.startedAt().orElseThrow().isBefore(startAt));
  }

  @Test
  void theyCountAgainstTheStartRate(TestInfo info) {
    String fleet = fleet(info, 2);
    RolloutPlan plan =
        with(
            RolloutTestWorker.plan(fleet),
            List.of(WaveSpec.of(new WaveSize.Rest())),
            new RolloutLimits(100, 0, Optional.of(2), List.of()));
    RolloutId id = worker.create(withLateJoiners(plan));
    worker.register(fleet, fleet + "-late-1", "");
    worker.register(fleet, fleet + "-late-2", "");

    worker.start(id);

    awaitTargets(id, 4);
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.row(id).waiting().filter(wait -> wait.reason() == WaitReason.RATE_LIMIT).isPresent());
    assertThat(worker.targets(id))
        .filteredOn(target -> target.state() == TargetState.PENDING)
        .extracting(TargetRow::device)
        .containsExactly(fleet + "-late-1", fleet + "-late-2");
    worker.update(id, OperatorAction.ABORT);
    ended(id);
  }

  private static RolloutPlan pausingAtTheFirstFailure(RolloutPlan plan) {
    Thresholds usual = plan.thresholds();
    return new RolloutPlan(
        plan.release(),
        plan.selection(),
        plan.everything(),
        plan.waves(),
        plan.limits(),
        new Thresholds(
            usual.successPercent(),
            usual.minSuccesses(),
            Optional.of(1),
            usual.failurePercent(),
            usual.minSample(),
            usual.consecutiveFailures(),
            usual.byOutcome(),
            usual.unhealthyAfter(),
            usual.action()),
        plan.retries(),
        plan.window(),
        plan.lateJoiners(),
        plan.startAt(),
        plan.notAfter(),
        plan.priority(),
        plan.onBusy());
  }

  @Test
  void theyAreNotStartedWhenTooManyOthersHaveFailed(TestInfo info) {
    String fleet = fleet(info, 1);
    worker.hosts.fail(names(fleet, 1));
    worker.hosts.blockPrepare();
    RolloutId id = worker.create(pausingAtTheFirstFailure(withLateJoiners(inOneWave(fleet, 1))));
    worker.register(fleet, fleet + "-late", "");

    worker.start(id);
    awaitTargets(id, 2);
    worker.hosts.unblock();

    worker.awaitState(id, RolloutState.PAUSED);
    assertThat(worker.targets(id))
        .filteredOn(target -> target.device().equals(fleet + "-late"))
        .singleElement()
        .returns(TargetState.PENDING, TargetRow::state);
    worker.update(id, OperatorAction.ABORT);
    ended(id);
  }
}
