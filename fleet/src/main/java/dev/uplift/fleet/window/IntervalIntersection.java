package dev.uplift.fleet.window;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The intersection of several sequences, whose own intervals neither overlap nor touch.
final class IntervalIntersection extends IntervalSequence {
  private final List<? extends IntervalSequence> parts;

  /// @param parts at least one
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
