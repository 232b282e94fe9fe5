package dev.uplift.store.device;

import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The recorded versions of a host, and since when.
///
/// @param hasHolds whether its owner holds a package, as recorded
/// @param hasOffers whether it has said what its repositories offer, as recorded
@Introspected
record KnownVersions(
    String versions,
    @Nullable Instant infoReceivedAt,
    @Nullable Instant versionsAt,
    @Nullable Instant heartbeatReceivedAt,
    boolean hasHolds,
    boolean hasOffers) {

  boolean hasInfoNewerThan(Instant time) {
    return isNewer(infoReceivedAt, time);
  }

  boolean hasVersionsNewerThan(Instant time) {
    return isNewer(versionsAt, time) || isNewer(heartbeatReceivedAt, time);
  }

  private static boolean isNewer(@Nullable Instant known, Instant time) {
    return known != null && known.isAfter(time);
  }
}
