package dev.uplift.fleet.window;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is in each of several, whose own stretches neither overlap nor touch.
final class Intersection extends Spans {
  private final List<? extends Spans> parts;

  /// @param parts at least one
  Intersection(List<? extends Spans> parts) {
    this.parts = parts;
  }

  @Override
  @Nullable Span find() {
    while (true) {
      Span common = Span.ALWAYS;
      Spans endsFirst = null;
      for (Spans part : parts) {
        Span span = part.peek();
        if (span == null) {
          return null;
        }
        if (endsFirst == null || span.until() < common.until()) {
          endsFirst = part;
        }
        common =
            new Span(Math.max(common.from(), span.from()), Math.min(common.until(), span.until()));
      }
      if (endsFirst == null) {
        return null;
      }
      endsFirst.drop();
      if (common.from() < common.until()) {
        return common;
      }
    }
  }
}
