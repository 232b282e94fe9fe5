package dev.uplift.fleet.window;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The union of several sequences, as intervals that neither overlap nor touch.
final class IntervalUnion extends IntervalSequence {
  private final List<? extends IntervalSequence> parts;
  private final long horizon;

  /// An interval that lasts until the horizon has no known end.
  IntervalUnion(List<? extends IntervalSequence> parts, long horizon) {
    this.parts = parts;
    this.horizon = horizon;
  }

  @Override
  @Nullable Interval computeNext() {
    IntervalSequence first = first();
    if (first == null) {
      return null;
    }
    long from = Objects.requireNonNull(first.peek()).from();
    long until = from;
    while (first != null) {
      Interval interval = Objects.requireNonNull(first.peek());
      if (interval.from() > until) {
        break;
      }
      until = Math.max(until, interval.until());
      first.skip();
      first = first();
    }
    return new Interval(from, until < horizon ? until : Interval.NEVER);
  }

  /// Returns the part whose next interval begins first.
  private @Nullable IntervalSequence first() {
    IntervalSequence first = null;
    long begins = Interval.NEVER;
    for (IntervalSequence part : parts) {
      Interval interval = part.peek();
      if (interval != null && interval.from() < begins) {
        first = part;
        begins = interval.from();
      }
    }
    return first;
  }
}
