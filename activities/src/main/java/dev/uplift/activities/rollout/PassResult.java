package dev.uplift.activities.rollout;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetCounts;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.rollout.RolloutProgress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What one pass found, wrote and decided.
///
/// @param row as it stands afterwards
/// @param recheckAt when the decision may be another one by itself
/// @param toStart whose upgrade is to be started now
/// @param toProceed who is to be told to go on now
/// @param uncertainStarts of whom nobody knows whether it was started, while nothing may be
/// @param uncertainProceeds the same of those that may have been told to go on
/// @param rollback who is to be taken back now
record PassResult(
    RolloutRow row,
    RolloutSpec spec,
    RolloutControl control,
    TargetCounts counts,
    Decision decision,
    Optional<Instant> recheckAt,
    List<TargetRow> toStart,
    List<TargetRow> toProceed,
    List<TargetRow> uncertainStarts,
    List<TargetRow> uncertainProceeds,
    WaveRollback.RollbackBatch rollback) {

  boolean isFinished() {
    return row.endedAt().isPresent();
  }

  /// Whether an upgrade runs, or may run.
  boolean isActive() {
    WaveCounts all = counts.all();
    boolean goesBack = counts.unfinishedReverts() > 0 && rollback.waitReason().isEmpty();
    return all.inProgress() + all.preparing() + counts.reverting() + toStart.size() > 0 || goesBack;
  }

  /// Whether all that runs has but to prepare, or waits for its window.
  boolean isOnlyPreparing() {
    return counts.all().inProgress() + counts.reverting() + toStart.size() + toProceed.size() == 0;
  }

  RolloutProgress toProgress(Optional<Instant> next) {
    WaveCounts all = counts.all();
    Optional<RolloutOutcome> outcome = row.outcome();
    return new RolloutProgress(
        row.state(),
        row.currentWave(),
        row.waveCount(),
        outcome,
        decision.code(),
        decision.message(),
        outcome.isPresent() ? Optional.empty() : next,
        all.pending(),
        (long) all.inProgress() + all.preparing() + counts.reverting(),
        countEnded(all, TargetResult::isSuccess),
        countEnded(all, TargetResult::isFailure));
  }

  private static long countEnded(WaveCounts all, Predicate<TargetResult> which) {
    return all.ended().entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .mapToLong(entry -> entry.getValue())
        .sum();
  }
}
