package dev.uplift.services.presence;

import java.time.Instant;

/// The heartbeats of one instance of an agent.
///
/// @param firstReceivedAt when it was heard first
/// @param consecutive the number of heartbeats since another instance of the host was heard
public record InstanceHeartbeats(Instant firstReceivedAt, ReceivedHeartbeat newest, int consecutive) {
  public static InstanceHeartbeats of(ReceivedHeartbeat beat) {
    return new InstanceHeartbeats(beat.receivedAt(), beat, 1);
  }

  InstanceHeartbeats with(ReceivedHeartbeat beat) {
    return new InstanceHeartbeats(firstReceivedAt, beat, consecutive + 1);
  }

  InstanceHeartbeats interrupted() {
    return new InstanceHeartbeats(firstReceivedAt, newest, 0);
  }
}
