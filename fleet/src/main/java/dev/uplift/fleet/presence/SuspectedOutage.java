package dev.uplift.fleet.presence;

import java.time.Instant;

/// Many hosts of a tenant have fallen silent at the same time, so the cause is probably between them and the server.
///
/// @param since when it was first suspected
/// @param lastHeardAfter hosts with an older newest heartbeat had fallen silent before, and are not part of it
/// @param missing the largest number of its hosts that were missing at the same time
/// @param alive how many hosts of the tenant were alive before
public record SuspectedOutage(Instant since, Instant lastHeardAfter, int missing, int alive) {

  /// Returns whether a host with this newest heartbeat fell silent in this outage rather than before.
  public boolean covers(Instant lastHeard) {
    return lastHeard.isAfter(lastHeardAfter);
  }

  /// Returns a copy that has seen this many hosts missing.
  public SuspectedOutage withMissing(int now) {
    return now > missing ? new SuspectedOutage(since, lastHeardAfter, now, Math.max(alive, now)) : this;
  }

  /// Describes it in a sentence, for people.
  public String describe() {
    return "an outage between hosts and NATS is suspected since %s: %d of %d hosts stopped being heard at the same time"
        .formatted(since, missing, alive);
  }
}
