package dev.uplift.fleet.window;

import java.time.Instant;

/// When a device starts, or why it does not.
public sealed interface Start {
  /// It starts then.
  ///
  /// @param in the opening that it starts in
  record At(Instant instant, Opening in) implements Start {}

  /// It cannot start before the deadline.
  ///
  /// @param text for people
  record Never(Why why, String text) implements Start {}

  /// Why a device cannot start.
  enum Why {
    /// None is left before the deadline.
    NO_OPENING,
    /// There are openings before the deadline, and each is too short for the release.
    TOO_SHORT
  }
}
