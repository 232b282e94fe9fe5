package dev.uplift.fleet.window;

import java.time.Instant;

/// When a device starts, or why it cannot.
public sealed interface PlannedStart {
  /// It starts at this instant.
  ///
  /// @param opening the opening in which it starts
  record At(Instant instant, WindowOpening opening) implements PlannedStart {}

  /// It cannot start before the deadline.
  ///
  /// @param message for people
  record Never(Cause cause, String message) implements PlannedStart {}

  /// Why a device cannot start.
  enum Cause {
    /// No opening is left before the deadline.
    NO_OPENING,
    /// Every opening before the deadline is too short for the release.
    TOO_SHORT
  }
}
