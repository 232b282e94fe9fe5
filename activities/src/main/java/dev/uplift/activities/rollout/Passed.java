package dev.uplift.activities.rollout;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.WaveCounts;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetCounts;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.rollout.Tick;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What one pass found, wrote and decided.
///
/// @param row as it stands afterwards
/// @param lookAgain when the decision may be another one by itself
/// @param toStart whose upgrade is to be started now
/// @param toProceed who is to be told to go on now
/// @param uncertain of whom nobody knows whether it was started, while nothing may be
/// @param undecided the same of those that may have been told to go on
/// @param back who is to be taken back now
record Passed(
    RolloutRow row,
    RolloutWish wish,
    Steering steering,
    TargetCounts counts,
    Decision decision,
    Optional<Instant> lookAgain,
    List<TargetRow> toStart,
    List<TargetRow> toProceed,
    List<TargetRow> uncertain,
    List<TargetRow> undecided,
    GoingBack.Back back) {

  boolean isOver() {
    return row.endedAt().isPresent();
  }

  /// Whether an upgrade runs, or may run.
  boolean isAtWork() {
    WaveCounts all = counts.all();
    boolean goesBack = counts.toGoBack() > 0 && back.why().isEmpty();
    return all.inWork() + all.ahead() + counts.reverting() + toStart.size() > 0 || goesBack;
  }

  /// Whether all that runs has but to prepare, or waits for its window.
  boolean isAheadOnly() {
    return counts.all().inWork() + counts.reverting() + toStart.size() + toProceed.size() == 0;
  }

  Tick tick(Optional<Instant> next) {
    WaveCounts all = counts.all();
    Optional<RolloutOutcome> outcome = row.outcome();
    return new Tick(
        row.state(),
        row.currentWave(),
        row.waves(),
        outcome,
        decision.word(),
        decision.sentence(),
        outcome.isPresent() ? Optional.empty() : next,
        all.pending(),
        (long) all.inWork() + all.ahead() + counts.reverting(),
        ended(all, Verdict::isSuccess),
        ended(all, Verdict::isFailure));
  }

  private static long ended(WaveCounts all, Predicate<Verdict> which) {
    return all.ended().entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .mapToLong(entry -> entry.getValue())
        .sum();
  }
}
