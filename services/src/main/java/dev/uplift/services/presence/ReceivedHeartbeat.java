package dev.uplift.services.presence;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import java.time.Instant;

/// A heartbeat and when it was heard. Whose it is says its subject.
public record ReceivedHeartbeat(String tenant, HostId host, String instance, Heartbeat heartbeat, Instant receivedAt) {

  /// Whether it is the agent of the host, whatever it does, rather than one that waits to be.
  public boolean isFromActiveInstance() {
    return heartbeat.state() != Heartbeat.State.STANDBY;
  }

  public boolean isFromRunningAgent() {
    return heartbeat.state() == Heartbeat.State.RUNNING;
  }
}
