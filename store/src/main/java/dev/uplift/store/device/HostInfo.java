package dev.uplift.store.device;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/// The last report of a host about itself.
///
/// @param text exactly as it said it
/// @param drivers by whose commands the server that received it can have the host upgraded: none of an agent with
///   another version of the protocol
/// @param state `running`, `draining`, …
/// @param versions package to version; a package that it does not name is unknown
/// @param receivedAt when it was received, by the clock of the server or the stream
public record HostInfo(
    String text,
    String agentVersion,
    String architecture,
    List<String> drivers,
    String bootId,
    String instance,
    String state,
    Map<String, String> versions,
    Instant receivedAt) {
  public HostInfo {
    drivers = List.copyOf(drivers);
    versions = Map.copyOf(versions);
  }
}
