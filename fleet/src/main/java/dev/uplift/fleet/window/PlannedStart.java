package dev.uplift.fleet.window;

import java.time.Instant;

/// When a device starts, or why it does not.
public sealed interface PlannedStart {
  /// It starts then.
  ///
  /// @param opening the opening that it starts in
  record At(Instant instant, Opening opening) implements PlannedStart {}

  /// It cannot start before the deadline.
  ///
  /// @param message for people
  record Never(Cause cause, String message) implements PlannedStart {}

  /// Why a device cannot start.
  enum Cause {
    /// None is left before the deadline.
    NO_OPENING,
    /// There are openings before the deadline, and each is too short for the release.
    TOO_SHORT
  }
}
