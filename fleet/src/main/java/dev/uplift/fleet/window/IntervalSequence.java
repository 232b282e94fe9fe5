package dev.uplift.fleet.window;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Intervals, ordered by their starts and computed lazily.
abstract sealed class IntervalSequence
    permits WindowOccurrences, IntervalSequence.Unbounded, IntervalSequence.Union, IntervalSequence.Intersection {
  private @Nullable Interval head;
  private boolean headComputed;

  /// An interval in epoch seconds, half-open, never empty.
  record Interval(long from, long until) {
    /// The end of an interval without a known end.
    static final long NEVER = Long.MAX_VALUE;

    private static final Interval ALWAYS = new Interval(Long.MIN_VALUE, NEVER);
  }

  /// Returns the union of several sequences, as intervals that neither overlap nor touch. One that lasts until the
  /// horizon has no known end.
  static IntervalSequence union(List<? extends IntervalSequence> parts, long horizon) {
    return new Union(parts, horizon);
  }

  /// Returns the intersection of several sequences, whose own intervals neither overlap nor touch; of none, one
  /// interval without start and end.
  static IntervalSequence intersection(List<? extends IntervalSequence> parts) {
    return parts.isEmpty() ? new Unbounded() : new Intersection(parts);
  }

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

  private static final class Unbounded extends IntervalSequence {
    private boolean returned;

    @Override
    @Nullable Interval computeNext() {
      if (returned) {
        return null;
      }
      returned = true;
      return Interval.ALWAYS;
    }
  }

  private static final class Union extends IntervalSequence {
    private final List<? extends IntervalSequence> parts;
    private final long horizon;

    Union(List<? extends IntervalSequence> parts, long horizon) {
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

  private static final class Intersection extends IntervalSequence {
    private final List<? extends IntervalSequence> parts;

    Intersection(List<? extends IntervalSequence> parts) {
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
}
