package dev.uplift.store.device;

import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.util.Map;

/// A heartbeat.
///
/// @param receivedAt when it was received
public record HeartbeatRow(
    String tenant,
    HostId host,
    String instance,
    String bootId,
    String state,
    Map<String, String> versions,
    Instant receivedAt) {
  public HeartbeatRow {
    versions = Map.copyOf(versions);
  }
}
