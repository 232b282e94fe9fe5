package dev.uplift.store;

import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.util.Map;

/// A heartbeat.
///
/// @param at when it was received
public record Beat(
    String tenant,
    HostId host,
    String instance,
    String bootId,
    String state,
    Map<String, String> versions,
    Instant at) {
  public Beat {
    versions = Map.copyOf(versions);
  }
}
