package dev.uplift.fleet.window;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// All that is in any of several, as stretches that neither overlap nor touch.
final class Union extends Spans {
  private final List<? extends Spans> parts;
  private final long horizon;

  /// What is in any of these; what lasts until the horizon is not known to end.
  Union(List<? extends Spans> parts, long horizon) {
    this.parts = parts;
    this.horizon = horizon;
  }

  @Override
  @Nullable Span find() {
    Spans first = first();
    if (first == null) {
      return null;
    }
    long from = Objects.requireNonNull(first.peek()).from();
    long until = from;
    while (first != null) {
      Span span = Objects.requireNonNull(first.peek());
      if (span.from() > until) {
        break;
      }
      until = Math.max(until, span.until());
      first.drop();
      first = first();
    }
    return new Span(from, until < horizon ? until : Span.NEVER);
  }

  /// The part whose next stretch begins first.
  private @Nullable Spans first() {
    Spans first = null;
    long begins = Span.NEVER;
    for (Spans part : parts) {
      Span span = part.peek();
      if (span != null && span.from() < begins) {
        first = part;
        begins = span.from();
      }
    }
    return first;
  }
}
