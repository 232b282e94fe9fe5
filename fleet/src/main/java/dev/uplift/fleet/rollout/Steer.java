package dev.uplift.fleet.rollout;

/// What a person may want of a rollout.
public enum Steer {
  START,
  PAUSE,
  RESUME,
  /// Nothing new is started.
  ABORT,
  /// And what runs is aborted too.
  ABORT_HARD,
  APPROVE,
  DENY,
  /// The next wave begins, whatever is still to come of this one.
  NEXT_WAVE,
  /// What is still to come of this wave is left out.
  MARK_DONE,
  RETRY_FAILED,
  ROLL_BACK_WAVE,
  SKIP_DEVICE,
  ADD_DEVICE,
  CHANGE_RULES;

  @Override
  public String toString() {
    return Words.word(this);
  }
}
