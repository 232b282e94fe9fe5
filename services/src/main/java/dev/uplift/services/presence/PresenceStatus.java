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

  /// The host sends none that we can hear, and the cause may be our connection or an outage of many hosts.
  ///
  /// @param since when the connection was lost or came up, or when the outage was suspected
  /// @param reason a sentence for people
  record Unknown(Instant since, String reason) implements PresenceStatus {}
}
