package dev.uplift.fleet.window;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is in each of several, whose own stretches neither overlap nor touch.
final class Intersection extends Spans {
  private final List<? extends Spans> parts;

  /// What is in each of these, of which there is at least one.
  Intersection(List<? extends Spans> parts) {
    this.parts = parts;
  }

  @Override
  @Nullable Span find() {
    while (true) {
      long from = Long.MIN_VALUE;
      Spans endsFirst = parts.getFirst();
      long until = Span.NEVER;
      for (Spans part : parts) {
        Span span = part.peek();
        if (span == null) {
          return null;
        }
        from = Math.max(from, span.from());
        if (span.until() < until) {
          until = span.until();
          endsFirst = part;
        }
      }
      endsFirst.drop();
      if (from < until) {
        return new Span(from, until);
      }
    }
  }
}
