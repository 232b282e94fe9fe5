package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The steps of a device from one state to the next.
final class RolloutTargetsTest extends OnRollouts {
  @Test
  void aDeviceIsBegunOnceAndHasItsUpgradeFromThenOn() {
    RolloutId north = north();

    List<TargetRow> begun = targets.begin(north, List.of("c", "a", "nobody"), false);

    assertThat(names(begun)).containsExactly("c", "a");
    assertThat(begun.getFirst().upgrade()).contains("north.c.1");
    assertThat(begun.getFirst().state()).isEqualTo(TargetState.STARTING);
    assertThat(begun.getFirst().startedAt()).contains(clock.instant());
    assertThat(targets.begin(north, List.of("a"), false)).isEmpty();
    assertThat(names(queue.in(north, TargetState.STARTING))).containsExactly("a", "c");
    assertThat(targets.started(north, "a")).isTrue();
    assertThat(targets.started(north, "a")).isFalse();
    assertThat(state(north, "a")).isEqualTo(TargetState.STARTED);
  }

  @Test
  void aDeviceThatIsBusyIsPutBackForAWhile() {
    RolloutId north = north();
    targets.begin(north, List.of("a"), true);
    Instant later = clock.instant().plusSeconds(30);

    assertThat(targets.putBack(north, "a", later)).isTrue();

    TargetRow row = target(north, "a");
    assertThat(row.state()).isEqualTo(TargetState.PENDING);
    assertThat(row.notBefore()).contains(later);
    assertThat(row.upgrade()).isEmpty();
    assertThat(row.startedAt()).isEmpty();
    assertThat(row.ahead()).isFalse();
    assertThat(row.attempt()).isEqualTo(1);
    assertThat(targets.putBack(north, "a", later)).isFalse();
  }

  @Test
  void aDeviceThatPreparedAheadIsToldToGoOnOnce() {
    RolloutId north = north();
    targets.begin(north, List.of("a"), true);
    targets.started(north, "a");
    start(north, "b");

    assertThat(names(targets.proceed(north, List.of("a", "b")))).containsExactly("a");
    assertThat(targets.proceed(north, List.of("a"))).isEmpty();
    assertThat(state(north, "a")).isEqualTo(TargetState.PROCEEDING);
    assertThat(target(north, "a").ahead()).isFalse();
    assertThat(targets.proceeded(north, "a")).isTrue();
    assertThat(state(north, "a")).isEqualTo(TargetState.STARTED);
  }

  @Test
  void whatHasEndedIsCollectedOnceInTheOrderOfTheEnds() {
    RolloutId north = north();
    start(north, "a", "b", "c", "d");
    ends(north, "c", Outcome.ROLLED_BACK);
    ends(north, "a", Outcome.UPGRADED);
    ends(north, "d", Outcome.NO_ACTION);

    assertThat(collect(north)).containsExactly("c rolled-back", "a upgraded", "d no-action");
    ends(north, "b", Outcome.UPGRADED);
    assertThat(collect(north)).containsExactly("b upgraded");
    assertThat(collect(north)).isEmpty();

    assertThat(rollouts.find(north).orElseThrow().verdicts()).isEqualTo(4);
    assertThat(target(north, "c").verdictNumber()).hasValue(1);
    assertThat(target(north, "b").verdictNumber()).hasValue(4);
    assertThat(target(north, "c").error()).contains(BROKEN);
    assertThat(target(north, "c").touched()).isTrue();
    assertThat(target(north, "b").endedAt()).contains(clock.instant());
    assertThat(counts.judged(north, 0).last())
        .containsExactly(
            Verdict.UPGRADED, Verdict.NO_ACTION, Verdict.UPGRADED, Verdict.ROLLED_BACK);
  }

  @Test
  void aVerdictOfADeviceThatIsNotInWorkIsRefusedAndNoNumberLost() {
    RolloutId north = north();
    start(north, "a");

    assertThatThrownBy(() ->
            targets.end(
                north, List.of(verdict("a", Verdict.UPGRADED), verdict("b", Verdict.UPGRADED))))
        .isInstanceOf(RuntimeException.class);

    assertThat(state(north, "a")).isEqualTo(TargetState.STARTED);
    assertThat(rollouts.find(north).orElseThrow().verdicts()).isZero();
  }

  @Test
  void aRetryIsANewAttemptThatKeepsTheFirstErrorAndIsNotJudged() {
    RolloutId north = north();
    start(north, "a");
    ends(north, "a", Outcome.ROLLED_BACK);
    collect(north);
    Instant later = clock.instant().plusSeconds(600);

    assertThat(targets.retry(north, "a", Optional.of(later))).isTrue();

    TargetRow row = target(north, "a");
    assertThat(row.attempt()).isEqualTo(2);
    assertThat(row.notBefore()).contains(later);
    assertThat(row.verdict()).isEmpty();
    assertThat(row.error()).contains(BROKEN);
    assertThat(counts.judged(north, 0).counts()).isEmpty();
    assertThat(targets.begin(north, List.of("a"), false).getFirst().upgrade())
        .contains("north.a.2");
    assertThat(targets.retry(north, "a", Optional.empty())).isFalse();
  }

  @Test
  void allThatFailedAreTriedAgainByTheirCode() {
    RolloutId north = north();
    start(north, "a", "b", "c");
    ends(north, "a", Outcome.ROLLED_BACK);
    ends(north, "b", Outcome.STRANDED);
    ends(north, "c", Outcome.UPGRADED);
    collect(north);

    assertThat(targets.retry(north, Set.of(Verdict.ROLLED_BACK), Set.of("other"))).isZero();
    assertThat(targets.retry(north, Set.of(Verdict.ROLLED_BACK), Set.of("other", "health")))
        .isEqualTo(1);
    assertThat(targets.retry(north, Set.of(Verdict.ROLLED_BACK, Verdict.STRANDED), Set.of()))
        .isEqualTo(1);
    assertThat(state(north, "a")).isEqualTo(TargetState.PENDING);
    assertThat(state(north, "b")).isEqualTo(TargetState.PENDING);
    assertThat(state(north, "c")).isEqualTo(TargetState.ENDED);
  }

  @Test
  void whatIsPendingMayBeSkippedAndJoinAgain() {
    RolloutId north = north();
    start(north, "d");

    assertThat(targets.skip(north, "a")).isTrue();
    assertThat(targets.skip(north, "d")).isFalse();
    assertThat(targets.skipRest(north, 3)).isEqualTo(2);
    assertThat(targets.join(north, 2, List.of("a", "d", "new"))).isEqualTo(2);

    assertThat(state(north, "a")).isEqualTo(TargetState.PENDING);
    assertThat(target(north, "a").turn().wave()).isEqualTo(1);
    assertThat(target(north, "new").turn()).isEqualTo(new TargetRow.Turn(2, 2));
    assertThat(new RolloutWaves(database, clock).find(north, 2).orElseThrow().size()).isEqualTo(3);
    assertThat(state(north, "e")).isEqualTo(TargetState.SKIPPED);
  }

  @Test
  void aDeviceThatDidNotStayWellIsJudgedAnew() {
    RolloutId north = north();
    start(north, "a", "b");
    ends(north, "a", Outcome.UPGRADED);
    ends(north, "b", Outcome.ROLLED_BACK);
    collect(north);

    var silent = List.of(verdict("a", Verdict.UNHEALTHY), verdict("b", Verdict.UNHEALTHY));
    assertThat(targets.unhealthy(north, silent)).isEqualTo(1);
    assertThat(targets.unhealthy(north, silent)).isZero();

    assertThat(target(north, "a").verdict()).contains(Verdict.UNHEALTHY);
    assertThat(target(north, "a").verdictNumber()).hasValue(3);
    assertThat(target(north, "b").verdict()).contains(Verdict.ROLLED_BACK);
    assertThat(counts.judged(north, 2).last()).containsExactly(Verdict.UNHEALTHY);
  }

  @Test
  void aWaveGoesBackAndIsNotJudgedForIt() {
    RolloutId north = north();
    start(north, "b", "c", "d");
    ends(north, "b", Outcome.UPGRADED);
    ends(north, "c", Outcome.ROLLED_BACK);
    ends(north, "d", Outcome.UPGRADED);
    collect(north);

    assertThat(reverts.mark(north, 2, Set.of(Verdict.UPGRADED))).isEqualTo(1);
    assertThat(counts.counts(north).toGoBack()).isEqualTo(1);
    assertThat(queue.revertsToStart(north)).isEmpty();
    List<TargetRow> back = reverts.begin(north, List.of("a", "b"));
    assertThat(names(back)).containsExactly("b");
    assertThat(names(queue.revertsToStart(north))).containsExactly("b");
    assertThat(back.getFirst().revertUpgrade()).contains("north.b.r1");
    upgrades.begin(new NewUpgrade("north.b.r1", device("b"), OS, "ann", "", "run-1"));
    assertThat(queue.revertsToStart(north)).isEmpty();
    assertThat(counts.counts(north).reverting()).isEqualTo(1);
    clock.pass(Duration.ofMinutes(1));
    upgrades.end(tenant, "north.b.r1", new UpgradeEnd(Outcome.ROLLED_BACK, Optional.empty(), "[]"));

    assertThat(queue.revertEndings(north)).hasSize(1);
    assertThat(reverts.end(north, "b", Outcome.ROLLED_BACK, Verdict.ROLLED_BACK)).isTrue();

    assertThat(queue.revertEndings(north)).isEmpty();
    assertThat(target(north, "b").revertOutcome()).contains(Outcome.ROLLED_BACK);
    assertThat(counts.judged(north, 0).counts())
        .containsEntry(Verdict.ROLLED_BACK, 1)
        .containsEntry(Verdict.UPGRADED, 1);
    assertThat(counts.counts(north).of(2).ended()).containsEntry(Verdict.ROLLED_BACK, 2);
    assertThat(targets.retry(north, Set.of(Verdict.ROLLED_BACK), Set.of())).isEqualTo(2);
  }

  @Test
  void aDeviceThatDidNotGoBackMayBeToldAgainAndOneThatWasNotBegunStays() {
    RolloutId north = north();
    start(north, "b", "d");
    ends(north, "b", Outcome.UPGRADED);
    ends(north, "d", Outcome.UPGRADED);
    collect(north);
    Set<Verdict> upgraded = Set.of(Verdict.UPGRADED);
    assertThat(reverts.mark(north, 2, upgraded) + reverts.mark(north, 3, upgraded)).isEqualTo(2);

    reverts.begin(north, List.of("b"));
    assertThat(reverts.putBack(north, "b", clock.instant())).isTrue();
    assertThat(names(reverts.begin(north, List.of("b")))).containsExactly("b");
    assertThat(target(north, "b").revertUpgrade()).contains("north.b.r2");
    assertThat(reverts.end(north, "b", Outcome.DECLINED, Verdict.UPGRADED)).isTrue();
    assertThat(reverts.giveUp(north)).isEqualTo(1);

    assertThat(target(north, "d").state()).isEqualTo(TargetState.ENDED);
    assertThat(target(north, "d").verdict()).contains(Verdict.UPGRADED);
    assertThat(target(north, "b").state()).isEqualTo(TargetState.REVERTED);
    assertThat(reverts.mark(north, 2, upgraded) + reverts.mark(north, 3, upgraded)).isEqualTo(1);
    assertThat(reverts.markAgain(north, 2, upgraded)).isEqualTo(1);
    assertThat(names(reverts.begin(north, List.of("b")))).containsExactly("b");
    assertThat(target(north, "b").revertUpgrade()).contains("north.b.r3");
  }

  private TargetVerdict verdict(String device, Verdict verdict) {
    return new TargetVerdict(device, verdict, true, Optional.empty(), clock.instant());
  }
}
