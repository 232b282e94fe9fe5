package dev.uplift.fleet.rollout;

/// An action of an operator on a rollout.
public enum OperatorAction {
  START,
  PAUSE,
  RESUME,
  /// Nothing new is started.
  ABORT,
  /// Nothing new is started, and what runs is aborted too.
  ABORT_RUNNING,
  APPROVE,
  DENY,
  /// The next wave begins, whatever is pending in this one.
  NEXT_WAVE,
  /// The pending devices of this wave are left out.
  SKIP_REMAINING,
  RETRY_FAILED,
  ROLL_BACK_WAVE,
  SKIP_DEVICE,
  ADD_DEVICE,
  CHANGE_RULES;

  /// Returns whether no device may be started once it was done.
  public boolean stopsStarts() {
    return this == PAUSE || this == DENY || this == ABORT || this == ABORT_RUNNING;
  }

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
