package dev.uplift.activities.host;

import dev.uplift.fleet.Step;
import dev.uplift.services.tracing.SpanRecorder;
import dev.uplift.services.tracing.TraceHeader;
import dev.uplift.store.command.CommandRow;
import io.opentelemetry.api.trace.SpanKind;
import jakarta.inject.Singleton;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Records what hosts did as spans of the trace whose header came back with their answer. A host that returns another
/// header than the one of its command writes into a trace of its own, and nowhere else.
@Singleton
final class StepSpans {
  private final SpanRecorder tracing;

  StepSpans(SpanRecorder tracing) {
    this.tracing = tracing;
  }

  /// Records a command whose outcome was recorded for the first time: from when its agent had it, by the server's
  /// clock.
  ///
  /// @param header as the agent returned it; null if there is none
  void record(CommandRow command, @Nullable String header, Instant now) {
    if (!tracing.isEnabled() || header == null) {
      return;
    }
    Step step = command.step();
    tracing
        .tracer()
        .spanBuilder("agent " + step)
        .setParent(TraceHeader.parse(header))
        .setSpanKind(SpanKind.CONSUMER)
        .setStartTimestamp(command.acceptedAt().or(command::publishedAt).orElse(command.createdAt()))
        .setAttribute("uplift.tenant", command.tenant())
        .setAttribute("uplift.upgrade", command.upgrade())
        .setAttribute("uplift.host", command.host().value())
        .setAttribute("uplift.step", step.toString())
        .startSpan()
        .end(now);
  }
}
