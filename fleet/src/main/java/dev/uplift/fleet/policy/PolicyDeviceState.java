package dev.uplift.fleet.policy;

import dev.uplift.fleet.rollout.Phrases;

/// Where a device is with a policy.
public enum PolicyDeviceState {
  /// It runs what the policy asks for.
  SATISFIED,
  /// Its upgrade has begun.
  IN_PROGRESS,
  /// It will begin: in its rollout, at its time, or when it is heard.
  WAITING,
  /// Something that the policy cannot change keeps it as it is.
  BLOCKED,
  /// The version failed on it, and is not tried again there by itself.
  FAILED,
  /// It runs a version that was never published, or reported none.
  UNKNOWN,
  /// Another policy decides otherwise.
  CONFLICT;

  /// Returns whether nothing will change without another event.
  public boolean isFinal() {
    return this != IN_PROGRESS && this != WAITING;
  }

  @Override
  public String toString() {
    return Phrases.word(this);
  }
}
