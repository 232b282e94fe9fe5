package dev.uplift.activities.presence;

import java.time.Instant;

/// What this process can say of a host.
public sealed interface Seen {
  /// It beats.
  record Alive(HeardBeat newest) implements Seen {}

  /// It does not beat, and that is not for us: we listened all the time.
  ///
  /// @param since its last beat, or when we began to listen
  record Silent(Instant since) implements Seen {}

  /// We have not listened for long enough to say.
  ///
  /// @param since when we lost or found NATS
  record Unknown(Instant since) implements Seen {}
}
