package dev.uplift.fleet.window;

import org.jspecify.annotations.Nullable;

/// Stretches of time, one after the other by their beginnings, found as they are asked for.
abstract sealed class IntervalSequence permits UnboundedInterval, WindowOccurrences, IntervalUnion, IntervalIntersection {
  private @Nullable Interval head;
  private boolean headComputed;

  /// The next one, or null when there are no more. Not called again after it has returned null.
  abstract @Nullable Interval computeNext();

  /// The next one, which stays the next; null when there are no more.
  final @Nullable Interval peek() {
    if (!headComputed) {
      head = computeNext();
      headComputed = true;
    }
    return head;
  }

  /// Goes past the next one.
  final void skip() {
    // Past the end there is nothing: it stays the end.
    headComputed = peek() == null;
  }
}
