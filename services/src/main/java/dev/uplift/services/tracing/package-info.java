/// Spans of what servers and hosts do, for a collector of OpenTelemetry; off unless one is named.
///
/// Start at [SpanRecorder]. Who continues a trace: REST from its client, Temporal's interceptors through workflows and
/// activities, commands by [TraceHeader], and agents, which return that header with their answers.
@NullMarked
package dev.uplift.services.tracing;

import org.jspecify.annotations.NullMarked;
