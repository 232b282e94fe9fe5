package dev.uplift.fleet.window;

import org.jspecify.annotations.Nullable;

/// Stretches of time, one after the other by their beginnings, found as they are asked for.
abstract sealed class Spans permits Always, Occurrences, Union, Intersection {
  private @Nullable Span head;
  private boolean looked;

  /// The next one, or null when there are no more. Not called again after it has returned null.
  abstract @Nullable Span find();

  /// The next one, which stays the next; null when there are no more.
  final @Nullable Span peek() {
    if (!looked) {
      head = find();
      looked = true;
    }
    return head;
  }

  /// Goes past the next one.
  final void drop() {
    // Past the end there is nothing: it stays the end.
    looked = peek() == null;
  }
}
