package dev.uplift.fleet.barrier;

import java.util.Locale;

/// Where a barrier is.
public enum BarrierState {
  /// Hosts are told to halt.
  HALTING,
  /// The migration is awaited.
  HALTED,
  /// Hosts are told to resume.
  RESUMING,
  ENDED;

  /// The fixed word of it.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
