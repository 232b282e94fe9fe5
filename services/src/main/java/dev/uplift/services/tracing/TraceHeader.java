package dev.uplift.services.tracing;

import dev.uplift.protocol.Command;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The header `traceparent` of the W3C, which names the span that something belongs to.
public final class TraceHeader {
  public static final String NAME = Command.TRACE_HEADER;

  private static final TextMapGetter<@Nullable String> GETTER = (value, name) -> name.equals(NAME) ? value : null;

  private TraceHeader() {}

  /// Returns the value for the span of this thread; empty if there is none, as without tracing.
  public static Optional<String> current() {
    Map<String, String> headers = new HashMap<>();
    W3CTraceContextPropagator.getInstance()
        .inject(Context.current(), headers, (_, name, value) -> headers.put(name, value));
    return Optional.ofNullable(headers.get(NAME));
  }

  /// Returns the context that a value names; an empty one if it names none.
  public static Context parse(@Nullable String value) {
    return W3CTraceContextPropagator.getInstance().extract(Context.root(), value, GETTER);
  }
}
