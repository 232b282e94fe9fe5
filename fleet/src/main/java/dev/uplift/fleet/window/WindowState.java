package dev.uplift.fleet.window;

import java.util.Optional;

/// The state of a device at some instant, according to its windows.
public sealed interface WindowState {
  /// The windows are open.
  ///
  /// @param opening the one that contains the instant
  record Open(WindowOpening opening) implements WindowState {
    @Override
    public String toString() {
      return "open: " + opening;
    }
  }

  /// The windows are closed.
  ///
  /// @param next the next opening; empty if none opens within [WindowSchedule#HORIZON]
  record Closed(Optional<WindowOpening> next) implements WindowState {
    @Override
    public String toString() {
      return next.map(opening -> "closed; opens next: " + opening)
          .orElse("closed; does not open within " + WindowSchedule.HORIZON.toDays() + " days");
    }
  }
}
