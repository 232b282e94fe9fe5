package dev.uplift.activities.rollout;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import dev.uplift.fleet.rollout.decision.WaveStep;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetCounts;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.rollout.RolloutStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The result of one pass: what it found, wrote and decided.
///
/// @param row as it is afterwards
/// @param status as it is afterwards
/// @param step the work on devices that the policy asks for; empty: the workflow has to decide
/// @param decision the policy's; where it says start and no device can be started, the wait for that
/// @param recheckAt when the decision may be another one without any event
/// @param toStart devices whose upgrade is to be started now
/// @param toProceed prepared devices that are to be told to proceed now
/// @param uncertainStarts devices that may or may not have been started, while nothing may be
/// @param uncertainProceeds devices that may or may not have been told to proceed, likewise
/// @param rollback devices that are to be reverted now
/// @param isSearching whether the next pass should follow at once, because not all devices were looked at
record PassResult(
    RolloutRow row,
    RolloutSpec spec,
    RolloutControl control,
    TargetCounts counts,
    RolloutStatus status,
    Optional<WaveStep> step,
    Decision decision,
    Optional<Instant> recheckAt,
    List<TargetRow> toStart,
    List<TargetRow> toProceed,
    List<TargetRow> uncertainStarts,
    List<TargetRow> uncertainProceeds,
    WaveRollback.RollbackBatch rollback,
    boolean isSearching) {

  boolean isFinished() {
    return row.endedAt().isPresent();
  }

  /// Returns whether an upgrade runs, or may run.
  boolean isActive() {
    WaveCounts all = counts.all();
    boolean reverts = counts.unfinishedReverts() > 0 && rollback.waitReason().isEmpty();
    return all.inProgress() + all.preparing() + counts.reverting() + toStart.size() > 0 || reverts;
  }

  /// Returns whether devices whose turn has come are not heard.
  boolean hasOffline() {
    return counts.all().offline() > 0;
  }

  /// Returns whether every upgrade that runs only prepares, or waits for its window.
  boolean isOnlyPreparing() {
    return counts.all().inProgress() + counts.reverting() + toStart.size() + toProceed.size() == 0;
  }
}
