package dev.uplift.services.presence;

import java.time.Instant;

/// What this process can say of a host.
public sealed interface PresenceStatus {
  /// It beats.
  record Alive(ReceivedHeartbeat newest) implements PresenceStatus {}

  /// It does not beat, and that is not for us: we listened all the time.
  ///
  /// @param since its last beat, or when we began to listen
  record Silent(Instant since) implements PresenceStatus {}

  /// We have not listened for long enough to say.
  ///
  /// @param since when we lost or found NATS
  record Unknown(Instant since) implements PresenceStatus {}
}
