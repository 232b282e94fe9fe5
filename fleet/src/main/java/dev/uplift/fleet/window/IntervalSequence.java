package dev.uplift.fleet.window;

import org.jspecify.annotations.Nullable;

/// Intervals, ordered by their starts and computed lazily.
abstract sealed class IntervalSequence
    permits UnboundedInterval, WindowOccurrences, IntervalUnion, IntervalIntersection {
  private @Nullable Interval head;
  private boolean headComputed;

  /// Computes the next interval, or null at the end. Not called again after it has returned null.
  abstract @Nullable Interval computeNext();

  /// Returns the next interval without consuming it; null at the end.
  final @Nullable Interval peek() {
    if (!headComputed) {
      head = computeNext();
      headComputed = true;
    }
    return head;
  }

  /// Consumes the next interval.
  final void skip() {
    // The end stays the end.
    headComputed = peek() == null;
  }
}
