package dev.uplift.api.hosts;

import dev.uplift.services.presence.PresenceStatus;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/// The presence of a host, as far as this server knows.
///
/// @param presence `online`; `silent`: no heartbeat came while the server was connected; `unknown`: the server has not
///   been connected for long enough, or an outage between many hosts and NATS is suspected
/// @param since for `online` the newest heartbeat; for `silent` the last one, or when the server connected; for
///   `unknown` when the server's connection changed or the outage was suspected
@Serdeable
public record PresenceView(
    @Schema(
            type = "string",
            allowableValues = {"online", "silent", "unknown"})
        String presence,
    Instant since) {
  public static PresenceView of(PresenceStatus presenceStatus) {
    return switch (presenceStatus) {
      case PresenceStatus.Alive(var newest) -> new PresenceView("online", newest.receivedAt());
      case PresenceStatus.Silent(Instant since) -> new PresenceView("silent", since);
      case PresenceStatus.Unknown(Instant since, _) -> new PresenceView("unknown", since);
    };
  }
}
