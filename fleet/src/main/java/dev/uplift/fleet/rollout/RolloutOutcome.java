package dev.uplift.fleet.rollout;

/// How a rollout ended.
public enum RolloutOutcome {
  /// Every device runs the release.
  UPGRADED,
  /// All waves are done, and some devices do not run it.
  PARTIAL,
  /// A person or a threshold ended it.
  ABORTED,
  /// The deadline came before every device was begun.
  EXPIRED;

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
