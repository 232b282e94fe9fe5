package dev.uplift.services.tracing;

import java.net.URI;
import java.util.Optional;

/// Where spans are sent.
///
/// @param endpoint takes OTLP over HTTP, with its whole path; empty: nothing is recorded
/// @param samplePercent of the traces that begin at this server, how many are recorded
public record TracingSettings(Optional<URI> endpoint, int samplePercent) {
  public static final TracingSettings OFF = new TracingSettings(Optional.empty(), 0);
}
