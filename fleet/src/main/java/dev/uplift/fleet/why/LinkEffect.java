package dev.uplift.fleet.why;

import dev.uplift.fleet.rollout.Phrases;

/// The effect of a link of an explanation on the upgrade.
public enum LinkEffect {
  /// It is in no way.
  INFORMS,
  /// It is in the way, and ends by itself.
  WAITS,
  /// It is in the way until a person does something.
  BLOCKS,
  /// An upgrade is in work.
  WORKS,
  /// The device is as wanted.
  DONE;

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
