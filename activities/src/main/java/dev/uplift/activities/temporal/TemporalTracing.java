package dev.uplift.activities.temporal;

import dev.uplift.services.tracing.SpanRecorder;
import io.opentelemetry.opentracingshim.OpenTracingShim;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkflowClientInterceptor;
import io.temporal.opentracing.OpenTracingClientInterceptor;
import io.temporal.opentracing.OpenTracingOptions;
import io.temporal.opentracing.OpenTracingWorkerInterceptor;
import java.util.Optional;
import java.util.stream.Stream;

/// Temporal's own interceptors, which carry a trace through starts, workflows and activities. Without tracing there are
/// none.
///
/// They speak OpenTracing, of which OpenTelemetry has an implementation. What they add to a history is a header, which
/// no replay compares: a server may switch tracing on or off under running workflows.
final class TemporalTracing {
  private final Optional<OpenTracingOptions> options;

  TemporalTracing(SpanRecorder tracing) {
    options =
        Optional.of(tracing)
            .filter(SpanRecorder::isEnabled)
            .map(enabled ->
                OpenTracingOptions.newBuilder()
                    .setTracer(OpenTracingShim.createTracerShim(enabled.openTelemetry()))
                    .build());
  }

  WorkflowClientInterceptor[] clientInterceptors(WorkflowClientInterceptor first) {
    return Stream.concat(Stream.of(first), options.map(OpenTracingClientInterceptor::new).stream())
        .toArray(WorkflowClientInterceptor[]::new);
  }

  WorkerInterceptor[] workerInterceptors(WorkerInterceptor first) {
    return Stream.concat(Stream.of(first), options.map(OpenTracingWorkerInterceptor::new).stream())
        .toArray(WorkerInterceptor[]::new);
  }
}
