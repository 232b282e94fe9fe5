package dev.uplift.fleet.barrier;

import java.util.Locale;

/// Where a host of a barrier is.
public enum BarrierHostState {
  /// It has not answered yet.
  PENDING,
  HALTED,
  /// It has not halted in time, or refused.
  MISSING,
  /// It has halted, and works again.
  RESUMED;

  /// The fixed word of it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
