package dev.uplift.store.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The transitions of a device from one state to the next.
final class RolloutTargetRepositoryTest extends RolloutRepositoryScenario {
  @Test
  void aDeviceIsStartedOnceAndKeepsItsUpgrade() {
    RolloutId north = north();

    List<TargetRow> toStart = targets.markStarting(north, List.of("c", "a", "unknown"), false);

    assertThat(names(toStart)).containsExactly("c", "a");
    assertThat(toStart.getFirst().upgrade()).contains("north.c.1");
    assertThat(toStart.getFirst().state()).isEqualTo(TargetState.STARTING);
    assertThat(toStart.getFirst().startedAt()).contains(clock.instant());
    assertThat(targets.markStarting(north, List.of("a"), false)).isEmpty();
    assertThat(names(queue.listInState(north, TargetState.STARTING))).containsExactly("a", "c");
    assertThat(targets.markStarted(north, "a")).isTrue();
    assertThat(targets.markStarted(north, "a")).isFalse();
    assertThat(state(north, "a")).isEqualTo(TargetState.STARTED);
  }

  @Test
  void aBusyDeviceIsPostponed() {
    RolloutId north = north();
    targets.markStarting(north, List.of("a"), true);
    Instant later = clock.instant().plusSeconds(30);

    assertThat(targets.returnToPending(north, "a", later)).isTrue();

    TargetRow row = target(north, "a");
    assertThat(row.state()).isEqualTo(TargetState.PENDING);
    assertThat(row.notBefore()).contains(later);
    assertThat(row.upgrade()).isEmpty();
    assertThat(row.startedAt()).isEmpty();
    assertThat(row.prepareAhead()).isFalse();
    assertThat(row.attempt()).isEqualTo(1);
    assertThat(targets.returnToPending(north, "a", later)).isFalse();
  }

  @Test
  void aPreparedDeviceProceedsOnce() {
    RolloutId north = north();
    targets.markStarting(north, List.of("a"), true);
    targets.markStarted(north, "a");
    start(north, "b");

    assertThat(names(targets.markProceeding(north, List.of("a", "b")))).containsExactly("a");
    assertThat(targets.markProceeding(north, List.of("a"))).isEmpty();
    assertThat(state(north, "a")).isEqualTo(TargetState.PROCEEDING);
    assertThat(target(north, "a").prepareAhead()).isFalse();
    assertThat(targets.markProceeded(north, "a")).isTrue();
    assertThat(state(north, "a")).isEqualTo(TargetState.STARTED);
  }

  @Test
  void endedUpgradesAreCollectedOnceInOrder() {
    RolloutId north = north();
    start(north, "a", "b", "c", "d");
    endUpgrade(north, "c", Outcome.ROLLED_BACK);
    endUpgrade(north, "a", Outcome.UPGRADED);
    endUpgrade(north, "d", Outcome.NO_ACTION);

    assertThat(recordFinished(north)).containsExactly("c rolled-back", "a upgraded", "d no-action");
    endUpgrade(north, "b", Outcome.UPGRADED);
    assertThat(recordFinished(north)).containsExactly("b upgraded");
    assertThat(recordFinished(north)).isEmpty();

    assertThat(rollouts.find(north).orElseThrow().lastResultNumber()).isEqualTo(4);
    assertThat(target(north, "c").resultNumber()).hasValue(1);
    assertThat(target(north, "b").resultNumber()).hasValue(4);
    assertThat(target(north, "c").error()).contains(BROKEN);
    assertThat(target(north, "c").changed()).isTrue();
    assertThat(target(north, "b").endedAt()).contains(clock.instant());
    assertThat(counts.failureCounts(north, 0).latest())
        .containsExactly(
            TargetResult.UPGRADED, TargetResult.NO_ACTION, TargetResult.UPGRADED, TargetResult.ROLLED_BACK);
  }

  @Test
  void aResultOfAnIdleDeviceIsRejectedWithoutLosingANumber() {
    RolloutId north = north();
    start(north, "a");

    assertThatThrownBy(() ->
            targets.recordResults(
                north, List.of(verdict("a", TargetResult.UPGRADED), verdict("b", TargetResult.UPGRADED))))
        .isInstanceOf(RuntimeException.class);

    assertThat(state(north, "a")).isEqualTo(TargetState.STARTED);
    assertThat(rollouts.find(north).orElseThrow().lastResultNumber()).isZero();
  }

  @Test
  void aRetryIsANewAttemptThatKeepsTheFirstError() {
    RolloutId north = north();
    start(north, "a");
    endUpgrade(north, "a", Outcome.ROLLED_BACK);
    recordFinished(north);
    Instant later = clock.instant().plusSeconds(600);

    assertThat(targets.retry(north, "a", Optional.of(later))).isTrue();

    TargetRow row = target(north, "a");
    assertThat(row.attempt()).isEqualTo(2);
    assertThat(row.notBefore()).contains(later);
    assertThat(row.result()).isEmpty();
    assertThat(row.error()).contains(BROKEN);
    assertThat(counts.failureCounts(north, 0).counts()).isEmpty();
    assertThat(targets.markStarting(north, List.of("a"), false).getFirst().upgrade()).contains("north.a.2");
    assertThat(targets.retry(north, "a", Optional.empty())).isFalse();
  }

  @Test
  void failedDevicesAreRetriedByTheirCode() {
    RolloutId north = north();
    start(north, "a", "b", "c");
    endUpgrade(north, "a", Outcome.ROLLED_BACK);
    endUpgrade(north, "b", Outcome.STRANDED);
    endUpgrade(north, "c", Outcome.UPGRADED);
    recordFinished(north);

    assertThat(targets.retry(north, Set.of(TargetResult.ROLLED_BACK), Set.of("other"))).isZero();
    assertThat(targets.retry(north, Set.of(TargetResult.ROLLED_BACK), Set.of("other", "health"))).isEqualTo(1);
    assertThat(targets.retry(north, Set.of(TargetResult.ROLLED_BACK, TargetResult.STRANDED), Set.of())).isEqualTo(1);
    assertThat(state(north, "a")).isEqualTo(TargetState.PENDING);
    assertThat(state(north, "b")).isEqualTo(TargetState.PENDING);
    assertThat(state(north, "c")).isEqualTo(TargetState.ENDED);
  }

  @Test
  void aPendingDeviceMayBeSkippedAndIncludedAgain() {
    RolloutId north = north();
    start(north, "d");

    assertThat(targets.skip(north, List.of("a"))).isEqualTo(1);
    assertThat(targets.skip(north, List.of("d"))).isZero();
    assertThat(targets.skipPending(north, 3)).isEqualTo(2);
    assertThat(targets.addTargets(north, 2, List.of("a", "d", "new"))).isEqualTo(2);

    assertThat(state(north, "a")).isEqualTo(TargetState.PENDING);
    assertThat(target(north, "a").queuePosition().wave()).isEqualTo(1);
    assertThat(target(north, "new").queuePosition()).isEqualTo(new TargetRow.QueuePosition(2, 2));
    assertThat(database.repository(RolloutWaveRepository.class).find(north, 2).orElseThrow().size()).isEqualTo(3);
    assertThat(state(north, "e")).isEqualTo(TargetState.SKIPPED);
  }

  @Test
  void anUnhealthyDeviceHasANewResult() {
    RolloutId north = north();
    start(north, "a", "b");
    endUpgrade(north, "a", Outcome.UPGRADED);
    endUpgrade(north, "b", Outcome.ROLLED_BACK);
    recordFinished(north);

    var silent = List.of(verdict("a", TargetResult.UNHEALTHY), verdict("b", TargetResult.UNHEALTHY));
    assertThat(targets.markUnhealthy(north, silent)).isEqualTo(1);
    assertThat(targets.markUnhealthy(north, silent)).isZero();

    assertThat(target(north, "a").result()).contains(TargetResult.UNHEALTHY);
    assertThat(target(north, "a").resultNumber()).hasValue(3);
    assertThat(target(north, "b").result()).contains(TargetResult.ROLLED_BACK);
    assertThat(counts.failureCounts(north, 2).latest()).containsExactly(TargetResult.UNHEALTHY);
  }

  @Test
  void aRollbackOfAWaveIsNotCountedAsFailure() {
    RolloutId north = north();
    start(north, "b", "c", "d");
    endUpgrade(north, "b", Outcome.UPGRADED);
    endUpgrade(north, "c", Outcome.ROLLED_BACK);
    endUpgrade(north, "d", Outcome.UPGRADED);
    recordFinished(north);

    assertThat(reverts.markToRevert(north, 2, Set.of(TargetResult.UPGRADED))).isEqualTo(1);
    assertThat(counts.targetCounts(north).unfinishedReverts()).isEqualTo(1);
    assertThat(queue.revertingWithoutUpgrade(north)).isEmpty();
    List<TargetRow> back = reverts.markReverting(north, List.of("a", "b"));
    assertThat(names(back)).containsExactly("b");
    assertThat(names(queue.revertingWithoutUpgrade(north))).containsExactly("b");
    assertThat(back.getFirst().revertUpgrade()).contains("north.b.r1");
    upgrades.createIfAbsent(new NewUpgrade("north.b.r1", device("b"), OS, "ann", "", "run-1"));
    assertThat(queue.revertingWithoutUpgrade(north)).isEmpty();
    assertThat(counts.targetCounts(north).reverting()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(1));
    upgrades.recordEnd(tenant, "north.b.r1", new UpgradeEnd(Outcome.ROLLED_BACK, Optional.empty(), "[]"));

    assertThat(queue.finishedReverts(north)).hasSize(1);
    assertThat(reverts.markReverted(north, "b", Outcome.ROLLED_BACK, TargetResult.ROLLED_BACK)).isTrue();

    assertThat(queue.finishedReverts(north)).isEmpty();
    assertThat(target(north, "b").revertOutcome()).contains(Outcome.ROLLED_BACK);
    assertThat(counts.failureCounts(north, 0).counts())
        .containsEntry(TargetResult.ROLLED_BACK, 1)
        .containsEntry(TargetResult.UPGRADED, 1);
    assertThat(counts.targetCounts(north).ofWave(2).ended()).containsEntry(TargetResult.ROLLED_BACK, 2);
    assertThat(targets.retry(north, Set.of(TargetResult.ROLLED_BACK), Set.of())).isEqualTo(2);
  }

  @Test
  void aFailedRollbackMayBeRetriedAndOneNotStartedIsDropped() {
    RolloutId north = north();
    start(north, "b", "d");
    endUpgrade(north, "b", Outcome.UPGRADED);
    endUpgrade(north, "d", Outcome.UPGRADED);
    recordFinished(north);
    Set<TargetResult> upgraded = Set.of(TargetResult.UPGRADED);
    assertThat(reverts.markToRevert(north, 2, upgraded) + reverts.markToRevert(north, 3, upgraded)).isEqualTo(2);

    reverts.markReverting(north, List.of("b"));
    assertThat(reverts.returnToRevertQueue(north, "b", clock.instant())).isTrue();
    assertThat(names(reverts.markReverting(north, List.of("b")))).containsExactly("b");
    assertThat(target(north, "b").revertUpgrade()).contains("north.b.r2");
    assertThat(reverts.markReverted(north, "b", Outcome.DECLINED, TargetResult.UPGRADED)).isTrue();
    assertThat(reverts.cancelPending(north)).isEqualTo(1);

    assertThat(target(north, "d").state()).isEqualTo(TargetState.ENDED);
    assertThat(target(north, "d").result()).contains(TargetResult.UPGRADED);
    assertThat(target(north, "b").state()).isEqualTo(TargetState.REVERTED);
    assertThat(reverts.markToRevert(north, 2, upgraded) + reverts.markToRevert(north, 3, upgraded)).isEqualTo(1);
    assertThat(reverts.markToRevertAgain(north, 2, upgraded)).isEqualTo(1);
    assertThat(names(reverts.markReverting(north, List.of("b")))).containsExactly("b");
    assertThat(target(north, "b").revertUpgrade()).contains("north.b.r3");
  }

  private NewTargetResult verdict(String device, TargetResult result) {
    return new NewTargetResult(device, result, true, Optional.empty(), clock.instant());
  }
}
