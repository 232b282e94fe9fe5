package dev.uplift.activities.presence;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Heartbeat;
import java.time.Instant;

/// A heartbeat and when it was heard. Whose it is says its subject.
public record HeardBeat(String tenant, HostId host, String instance, Heartbeat beat, Instant at) {

  /// Whether it is the agent of the host, whatever it does, rather than one that waits to be.
  public boolean isFromWorkingAgent() {
    return beat.state() != Heartbeat.State.STANDBY;
  }

  public boolean isFromRunningAgent() {
    return beat.state() == Heartbeat.State.RUNNING;
  }
}
