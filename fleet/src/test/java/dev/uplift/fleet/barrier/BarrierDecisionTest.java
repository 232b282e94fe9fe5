package dev.uplift.fleet.barrier;

import static dev.uplift.fleet.barrier.WhenNotHalted.ABORT;
import static dev.uplift.fleet.barrier.WhenNotHalted.CONTINUE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.barrier.BarrierDecision.AwaitHosts;
import dev.uplift.fleet.barrier.BarrierDecision.Migrate;
import dev.uplift.fleet.barrier.BarrierDecision.Release;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class BarrierDecisionTest {
  private static final Optional<String> NOT_ABORTED = Optional.empty();

  /// Counts of pending, halted and missing hosts, deadline, rule and abort, with the decision that follows.
  record Situation(
      int pending,
      int halted,
      int missing,
      boolean isDeadlinePast,
      WhenNotHalted rule,
      Optional<String> abortedBy,
      BarrierDecision expected) {}

  static final Situation[] SITUATIONS = {
    new Situation(3, 9, 0, false, ABORT, NOT_ABORTED, new AwaitHosts()),
    new Situation(3, 9, 0, false, CONTINUE, NOT_ABORTED, new AwaitHosts()),
    new Situation(0, 12, 0, false, ABORT, NOT_ABORTED, new Migrate()),
    new Situation(0, 12, 0, true, ABORT, NOT_ABORTED, new Migrate()),
    new Situation(0, 11, 1, true, ABORT, NOT_ABORTED, new Release("1 of 12 hosts have not halted")),
    new Situation(3, 8, 1, false, ABORT, NOT_ABORTED, new Release("1 of 12 hosts have not halted")),
    new Situation(2, 10, 0, true, ABORT, NOT_ABORTED, new Release("2 of 12 hosts have not halted")),
    new Situation(3, 8, 1, false, CONTINUE, NOT_ABORTED, new AwaitHosts()),
    new Situation(0, 11, 1, false, CONTINUE, NOT_ABORTED, new Migrate()),
    new Situation(0, 11, 1, true, CONTINUE, NOT_ABORTED, new Migrate()),
    new Situation(0, 0, 12, true, CONTINUE, NOT_ABORTED, new Release("no host has halted")),
    new Situation(3, 9, 0, false, CONTINUE, Optional.of("ann"), new Release("aborted by ann")),
    new Situation(0, 12, 0, true, ABORT, Optional.of("ann"), new Release("aborted by ann")),
  };

  @ParameterizedTest
  @FieldSource("SITUATIONS")
  void aBarrierReleasesMigratesOrWaits(Situation situation) {
    var counts = new BarrierCounts(situation.pending, situation.halted, situation.missing, 0);

    assertThat(BarrierDecision.of(counts, situation.isDeadlinePast, situation.rule, situation.abortedBy))
        .isEqualTo(situation.expected);
  }

  @Test
  void itContinuesOnlyOnceItHasHaltedAndIsAbortedOnlyBeforeItResumes() {
    assertThat(
            Arrays.stream(BarrierState.values())
                .filter(state -> BarrierAction.CONTINUE.refusal(state, true, false).isEmpty()))
        .containsExactly(BarrierState.HALTED);
    assertThat(
            Arrays.stream(BarrierState.values())
                .filter(state -> BarrierAction.ABORT.refusal(state, false, true).isEmpty()))
        .containsExactly(BarrierState.HALTING, BarrierState.HALTED);
    assertThat(BarrierAction.CONTINUE.refusal(BarrierState.HALTED, false, false))
        .contains("the barrier continues when its device is upgraded");
    assertThat(BarrierAction.CONTINUE.refusal(BarrierState.HALTED, true, true))
        .contains("its hosts have resumed by themselves");
  }

  @Test
  void itIsCompletedWithoutThoseThatAreMissing() {
    assertThat(BarrierOutcome.ofMigrated(0)).isEqualTo(BarrierOutcome.COMPLETED);
    assertThat(BarrierOutcome.ofMigrated(2)).isEqualTo(BarrierOutcome.COMPLETED_WITHOUT);
  }

  @Test
  void anUpgradeCountsAsTheMigrationOnlyIfItIsDoneBeforeTheHostsResumeByThemselves() {
    assertThat(BarrierOutcome.ofUpgrade(true, false, 0)).isEqualTo(BarrierOutcome.COMPLETED);
    assertThat(BarrierOutcome.ofUpgrade(true, false, 2)).isEqualTo(BarrierOutcome.COMPLETED_WITHOUT);
    assertThat(BarrierOutcome.ofUpgrade(true, true, 0)).isEqualTo(BarrierOutcome.EXPIRED);
    assertThat(BarrierOutcome.ofUpgrade(false, true, 0)).isEqualTo(BarrierOutcome.MIGRATION_FAILED);
  }
}
