package dev.uplift.services.presence;

import java.time.Instant;

/// The presence of a host, as far as this process knows.
public sealed interface PresenceStatus {
  /// The host sends heartbeats.
  record Alive(ReceivedHeartbeat newest) implements PresenceStatus {}

  /// The host sends none, and our connection was up all the time.
  ///
  /// @param since its last heartbeat, or when we connected
  record Silent(Instant since) implements PresenceStatus {}

  /// Our connection has not been up for long enough.
  ///
  /// @param since when the connection was lost or came up
  record Unknown(Instant since) implements PresenceStatus {}
}
