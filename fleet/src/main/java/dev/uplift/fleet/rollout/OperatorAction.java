package dev.uplift.fleet.rollout;

/// What a person may want of a rollout.
public enum OperatorAction {
  START,
  PAUSE,
  RESUME,
  /// Nothing new is started.
  ABORT,
  /// And what runs is aborted too.
  ABORT_RUNNING,
  APPROVE,
  DENY,
  /// The next wave begins, whatever is still to come of this one.
  NEXT_WAVE,
  /// What is still to come of this wave is left out.
  SKIP_REMAINING,
  RETRY_FAILED,
  ROLL_BACK_WAVE,
  SKIP_DEVICE,
  ADD_DEVICE,
  CHANGE_RULES;

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
