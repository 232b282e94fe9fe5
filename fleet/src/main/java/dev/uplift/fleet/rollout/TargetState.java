package dev.uplift.fleet.rollout;

/// Where a device is in a rollout.
public enum TargetState {
  /// Not begun; its wave has not come, or it waits for its turn in it.
  PENDING,
  /// About to be started. If it is unknown whether it was, it is started again.
  STARTING,
  /// Its upgrade runs.
  STARTED,
  /// Prepared before its window, and about to be told to proceed.
  PROCEEDING,
  /// Its upgrade has ended, with a [TargetResult].
  ENDED,
  /// Left out by a person or because the rollout went on without it.
  SKIPPED,
  /// Its wave is rolled back, and it waits for its turn.
  REVERT_PENDING,
  /// Its upgrade is being reverted.
  REVERTING,
  /// The revert has ended, with an outcome.
  REVERTED;

  /// Returns whether `next` may follow.
  public boolean canBecome(TargetState next) {
    return switch (this) {
      case PENDING -> next == STARTING || next == SKIPPED || next == ENDED;
      case STARTING -> next == STARTED || next == PENDING;
      case STARTED -> next == ENDED || next == PROCEEDING || next == STARTING;
      case PROCEEDING -> next == STARTED || next == ENDED;
      case ENDED -> next == PENDING || next == REVERT_PENDING;
      case SKIPPED -> next == PENDING;
      case REVERT_PENDING -> next == REVERTING || next == ENDED;
      case REVERTING -> next == REVERTED || next == REVERT_PENDING;
      case REVERTED -> next == PENDING || next == REVERT_PENDING;
    };
  }

  /// Returns whether an upgrade of the device runs, or may run.
  public boolean isInProgress() {
    return this == STARTING || this == STARTED || this == PROCEEDING || this == REVERTING;
  }

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
