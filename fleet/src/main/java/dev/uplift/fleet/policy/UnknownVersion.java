package dev.uplift.fleet.policy;

import dev.uplift.fleet.rollout.Phrases;

/// How a policy treats a device whose running version was never published in its tenant, or never reported.
public enum UnknownVersion {
  /// It stays as it is.
  LEAVE,
  /// It is upgraded like one that runs an old version.
  UPGRADE;

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
