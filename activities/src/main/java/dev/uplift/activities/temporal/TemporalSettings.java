package dev.uplift.activities.temporal;

import java.util.Optional;

/// How to connect to Temporal.
///
/// @param target host and port
/// @param uiUrl base of links into Temporal Web UI; empty if there is none
/// @param tls empty: the connection is not encrypted
/// @param apiKey sent with every call; empty if Temporal requires none
public record TemporalSettings(
    String target, String namespace, String uiUrl, Optional<TemporalTls> tls, Optional<TemporalApiKey> apiKey) {
  /// On this machine, without links and credentials.
  public TemporalSettings(String target, String namespace) {
    this(target, namespace, "", Optional.empty(), Optional.empty());
  }
}
