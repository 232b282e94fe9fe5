package dev.uplift.fleet.barrier;

import java.util.Locale;

/// The action of a barrier if a host has not halted in time.
public enum WhenNotHalted {
  /// All hosts resume, and nothing is migrated.
  ABORT,
  /// The migration begins without those that are missing.
  CONTINUE;

  /// The fixed word of it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
