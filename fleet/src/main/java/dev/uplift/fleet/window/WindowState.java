package dev.uplift.fleet.window;

import java.util.Optional;

/// Whether a device may be touched at some instant, as far as its windows say.
public sealed interface WindowState {
  /// It may.
  ///
  /// @param opening that the instant is in
  record Open(Opening opening) implements WindowState {
    @Override
    public String toString() {
      return "open: " + opening;
    }
  }

  /// It may not.
  ///
  /// @param next the opening that comes; empty if none opens within [WindowSchedule#HORIZON]
  record Closed(Optional<Opening> next) implements WindowState {
    @Override
    public String toString() {
      return next.map(opening -> "closed; opens next: " + opening)
          .orElse("closed; does not open within " + WindowSchedule.HORIZON.toDays() + " days");
    }
  }
}
