package dev.uplift.api.hosts;

import dev.uplift.services.presence.PresenceStatus;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/// Whether a host is there, as far as this server can tell.
///
/// @param presence `online`; `silent`: we listened and heard nothing; `unknown`: we cannot tell,
///   for we have not listened for long enough
/// @param since of `online` the newest beat; of `silent` the last one, or when we began to listen;
///   of `unknown` when our own link changed
@Serdeable
public record PresenceView(String presence, Instant since) {
  public static PresenceView of(PresenceStatus presenceStatus) {
    return switch (presenceStatus) {
      case PresenceStatus.Alive(var newest) -> new PresenceView("online", newest.receivedAt());
      case PresenceStatus.Silent(Instant since) -> new PresenceView("silent", since);
      case PresenceStatus.Unknown(Instant since) -> new PresenceView("unknown", since);
    };
  }
}
