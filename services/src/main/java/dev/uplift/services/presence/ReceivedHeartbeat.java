package dev.uplift.services.presence;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import java.time.Instant;

/// A heartbeat and when it was received. Its subject identifies the host.
public record ReceivedHeartbeat(String tenant, HostId host, String instance, Heartbeat heartbeat, Instant receivedAt) {

  /// Returns whether it is from the active agent of the host, rather than one that stands by.
  public boolean isFromActiveInstance() {
    return heartbeat.state() != Heartbeat.State.STANDBY;
  }

  public boolean isFromRunningAgent() {
    return heartbeat.state() == Heartbeat.State.RUNNING;
  }
}
