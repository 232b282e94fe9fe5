package dev.uplift.fleet.window;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is in each of several, whose own stretches neither overlap nor touch.
final class IntervalIntersection extends IntervalSequence {
  private final List<? extends IntervalSequence> parts;

  /// What is in each of these, of which there is at least one.
  IntervalIntersection(List<? extends IntervalSequence> parts) {
    this.parts = parts;
  }

  @Override
  @Nullable Interval computeNext() {
    while (true) {
      long from = Long.MIN_VALUE;
      IntervalSequence endsFirst = parts.getFirst();
      long until = Interval.NEVER;
      for (IntervalSequence part : parts) {
        Interval interval = part.peek();
        if (interval == null) {
          return null;
        }
        from = Math.max(from, interval.from());
        if (interval.until() < until) {
          until = interval.until();
          endsFirst = part;
        }
      }
      endsFirst.skip();
      if (from < until) {
        return new Interval(from, until);
      }
    }
  }
}
