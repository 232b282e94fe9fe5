package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OnBusy;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.RolloutWait;
import dev.uplift.store.TargetRow;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Two rollouts that want the same devices.
final class RivalsTest extends RolloutScenario {
  @Test
  void theOneWithTheHigherPriorityHasTheFreeDevicesAndTheOtherWaitsForIt(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutId low = world.create(of(fleet, 0, OnBusy.WAIT, 2));
    RolloutId high = world.create(of(fleet, 5, OnBusy.WAIT, 2));
    world.hosts.holdUp();

    assertThat(devices(world.passOfAnother(high))).hasSize(2);
    assertThat(devices(world.passOfAnother(low))).isEmpty();

    RolloutWait wait = world.row(low).waiting().orElseThrow();
    assertThat(wait.what()).isIn(Waiting.OUTRANKED, Waiting.BUSY);
    assertThat(wait.sentence())
        .contains("first comes " + high.name())
        .contains("in rollout " + high.name());
    world.hosts.goOn();
    bothEnd(low, high);
  }

  @Test
  void ofEqualPriorityTheOlderOneComesFirst(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutId older = world.create(of(fleet, 1, OnBusy.WAIT, 4));
    RolloutId younger = world.create(of(fleet, 1, OnBusy.WAIT, 4));
    world.hosts.holdUp();
    assertThat(world.passOfAnother(older).toStart()).hasSize(4);

    assertThat(devices(world.passOfAnother(younger))).isEmpty();
    assertThat(world.row(younger).waiting().orElseThrow().what()).isEqualTo(Waiting.BUSY);
    world.hosts.goOn();
    bothEnd(older, younger);
  }

  private static void bothEnd(RolloutId one, RolloutId other) {
    world.start(one);
    world.start(other);
    assertThat(ended(one).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(ended(other).outcome()).contains(RolloutOutcome.UPGRADED);
    for (TargetRow target : world.targets(one)) {
      assertThat(world.hosts.mostAtOnce(target.device()::equals)).isEqualTo(1);
    }
    assertEachOnce(one);
    assertEachOnce(other);
  }

  @Test
  void whoSaysSkipGoesWithoutWhatTheOtherHas(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutId first = world.create(of(fleet, 1, OnBusy.WAIT, 2));
    RolloutId second = world.create(of(fleet, 0, OnBusy.SKIP, 100));
    world.hosts.holdUp();
    Set<String> taken = devices(world.passOfAnother(first));

    assertThat(devices(world.passOfAnother(second))).isEmpty();
    assertThat(world.in(second, TargetState.SKIPPED)).isEqualTo(4);
    assertThat(taken).hasSize(2);
    world.hosts.goOn();
    world.start(first);
    world.start(second);

    assertThat(ended(first).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(ended(second).outcome()).contains(RolloutOutcome.PARTIAL);
  }

  @Test
  void bothAtOnceNoDeviceIsWorkedOnTwiceAtATime(TestInfo info) {
    String fleet = fleet(info, 16);
    RolloutId one = world.start(of(fleet, 0, OnBusy.WAIT, 5));
    RolloutId other = world.start(of(fleet, 0, OnBusy.WAIT, 5));

    bothEnd(one, other);
  }

  private static Set<String> devices(Passed passed) {
    return passed.toStart().stream().map(TargetRow::device).collect(Collectors.toSet());
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
