package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.OnBusy;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.TargetRow;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Two rollouts that select the same devices.
final class CompetingRolloutsTest extends RolloutScenario {
  @Test
  void theHigherPriorityGetsTheFreeDevicesFirst(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutId low = worker.create(of(fleet, 0, OnBusy.WAIT, 2));
    RolloutId high = worker.create(of(fleet, 5, OnBusy.WAIT, 2));
    worker.hosts.blockPrepare();

    assertThat(devices(worker.passOfAnotherServer(high))).hasSize(2);
    assertThat(devices(worker.passOfAnotherServer(low))).isEmpty();

    RolloutWait wait = worker.row(low).waiting().orElseThrow();
    assertThat(wait.reason()).isIn(WaitReason.LOWER_PRIORITY, WaitReason.DEVICE_BUSY);
    assertThat(wait.message()).contains("first comes " + high.name()).contains("in rollout " + high.name());
    worker.hosts.unblock();
    bothEnd(low, high);
  }

  @Test
  void withEqualPriorityTheOlderOneComesFirst(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutId older = worker.create(of(fleet, 1, OnBusy.WAIT, 4));
    RolloutId younger = worker.create(of(fleet, 1, OnBusy.WAIT, 4));
    worker.hosts.blockPrepare();
    assertThat(worker.passOfAnotherServer(older).toStart()).hasSize(4);

    assertThat(devices(worker.passOfAnotherServer(younger))).isEmpty();
    assertThat(worker.row(younger).waiting().orElseThrow().reason()).isEqualTo(WaitReason.DEVICE_BUSY);
    worker.hosts.unblock();
    bothEnd(older, younger);
  }

  private static void bothEnd(RolloutId one, RolloutId other) {
    worker.start(one);
    worker.start(other);
    assertThat(ended(one).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(ended(other).outcome()).contains(RolloutOutcome.UPGRADED);
    for (TargetRow target : worker.targets(one)) {
      assertThat(worker.hosts.maxConcurrent(target.device()::equals)).isEqualTo(1);
    }
    assertEachOnce(one);
    assertEachOnce(other);
  }

  @Test
  void withSkipADeviceOfTheOtherRolloutIsExcluded(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutId first = worker.create(of(fleet, 1, OnBusy.WAIT, 2));
    RolloutId second = worker.create(of(fleet, 0, OnBusy.SKIP, 100));
    worker.hosts.blockPrepare();
    Set<String> taken = devices(worker.passOfAnotherServer(first));

    assertThat(devices(worker.passOfAnotherServer(second))).isEmpty();
    assertThat(worker.countIn(second, TargetState.SKIPPED)).isEqualTo(4);
    assertThat(taken).hasSize(2);
    worker.hosts.unblock();
    worker.start(first);
    worker.start(second);

    assertThat(ended(first).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(ended(second).outcome()).contains(RolloutOutcome.PARTIAL);
  }

  @Test
  void noDeviceIsUpgradedByBothAtTheSameTime(TestInfo info) {
    String fleet = fleet(info, 16);
    RolloutId one = worker.start(of(fleet, 0, OnBusy.WAIT, 5));
    RolloutId other = worker.start(of(fleet, 0, OnBusy.WAIT, 5));

    bothEnd(one, other);
  }

  private static Set<String> devices(PassResult passResult) {
    return passResult.toStart().stream().map(TargetRow::device).collect(Collectors.toSet());
  }

  private static RolloutPlan of(String fleet, int priority, OnBusy onBusy, int parallel) {
    RolloutPlan plan = inOneWave(fleet, parallel);
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
        plan.startAt(),
        plan.notAfter(),
        priority,
        onBusy);
  }
}
