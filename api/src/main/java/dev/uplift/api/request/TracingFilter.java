package dev.uplift.api.request;

import dev.uplift.services.tracing.SpanRecorder;
import dev.uplift.services.tracing.TraceHeader;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.core.propagation.ThreadPropagatedContextElement;
import io.micronaut.http.BasicHttpAttributes;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/// Records each request about a tenant as a span, which continues the trace of its client if it names one. The
/// request's thread has it, so that what the request starts belongs to it.
@ServerFilter("/v1/tenants/**")
final class TracingFilter {
  private static final String SPAN = "dev.uplift.span";

  private final SpanRecorder tracing;

  TracingFilter(SpanRecorder tracing) {
    this.tracing = tracing;
  }

  /// A span of the threads that work on a request.
  record SpanOfThread(Context context) implements ThreadPropagatedContextElement<Scope> {
    // Closed by the framework, which hands it back below.
    @SuppressWarnings("MustBeClosedChecker")
    @Override
    public Scope updateThreadContext() {
      return context.makeCurrent();
    }

    @Override
    public void restoreThreadContext(@Nullable Scope before) {
      if (before != null) {
        before.close();
      }
    }
  }

  @RequestFilter
  void begin(HttpRequest<?> request, MutablePropagatedContext context) {
    if (!tracing.isEnabled()) {
      return;
    }
    String method = request.getMethodName();
    String route = BasicHttpAttributes.getUriTemplate(request).orElse("");
    Context parent = TraceHeader.parse(request.getHeaders().get(TraceHeader.NAME));
    Span span =
        tracing
            .tracer()
            .spanBuilder((method + " " + route).strip())
            .setParent(parent)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute("http.request.method", method)
            .setAttribute("http.route", route)
            .startSpan();
    request.setAttribute(SPAN, span);
    context.add(new SpanOfThread(parent.with(span)));
  }

  @ResponseFilter
  void end(HttpRequest<?> request, HttpResponse<?> response) {
    request
        .getAttribute(SPAN, Span.class)
        .ifPresent(span -> {
          span.setAttribute("http.response.status_code", response.code());
          if (response.code() >= 500) {
            span.setStatus(StatusCode.ERROR);
          }
          span.end();
        });
  }
}
