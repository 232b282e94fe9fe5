package dev.uplift.fleet.why;

import dev.uplift.fleet.rollout.Phrases;

/// What a link of an explanation does to the upgrade.
public enum LinkEffect {
  /// It is in no way.
  INFORMS,
  /// It is in the way, and ends by itself.
  WAITS,
  /// It is in the way until a person does something.
  BLOCKS,
  /// An upgrade is in work.
  WORKS,
  /// What is wanted is so.
  DONE;

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
