package dev.uplift.services.tracing;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// The recorder of spans. A collector that is away costs the spans of that time and nothing else: they are sent by a
/// thread of their own, from a queue of bounded length.
@Singleton
public final class SpanRecorder implements AutoCloseable {
  private static final String SERVICE = "uplift-server";
  private static final Duration EXPORT_INTERVAL = Duration.ofSeconds(2);
  private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(10);

  private final Optional<OpenTelemetrySdk> sdk;
  private final OpenTelemetry openTelemetry;

  public SpanRecorder(TracingSettings settings) {
    sdk = settings.endpoint().map(endpoint -> open(endpoint, settings.samplePercent()));
    openTelemetry = sdk.<OpenTelemetry>map(found -> found).orElseGet(OpenTelemetry::noop);
  }

  /// Returns one that records nothing.
  public static SpanRecorder off() {
    return new SpanRecorder(TracingSettings.OFF);
  }

  private static OpenTelemetrySdk open(URI endpoint, int samplePercent) {
    var exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint.toString()).setTimeout(EXPORT_TIMEOUT).build();
    var spans =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault()
                    .merge(Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), SERVICE))))
            .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(samplePercent / 100.0)))
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).setScheduleDelay(EXPORT_INTERVAL).build())
            .build();
    return OpenTelemetrySdk.builder()
        .setTracerProvider(spans)
        .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
        .build();
  }

  public boolean isEnabled() {
    return sdk.isPresent();
  }

  public OpenTelemetry openTelemetry() {
    return openTelemetry;
  }

  /// Returns the tracer of Uplift's own spans.
  public Tracer tracer() {
    return openTelemetry.getTracer("dev.uplift");
  }

  /// Sends what is recorded, for at most some seconds.
  @Override
  @PreDestroy
  public void close() {
    sdk.ifPresent(OpenTelemetrySdk::close);
  }
}
