package dev.uplift.services.trust;

import dev.uplift.protocol.TrustRoot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Which roots end soon. With one that has ended nothing new is begun in its tenant.
///
/// @param firstExpiry when the first one ends; empty where there is none
/// @param expiringSoon those that end within [#WARNING_PERIOD], the first one first
record TrustRootExpiryReport(Optional<Instant> firstExpiry, List<TrustRoot> expiringSoon) {
  /// Time enough to get those together who have root keys.
  static final Duration WARNING_PERIOD = Duration.ofDays(30);

  /// @param roots the newest of each tenant
  static TrustRootExpiryReport of(Collection<TrustRoot> roots, Instant now) {
    List<TrustRoot> all = roots.stream().sorted(Comparator.comparing(TrustRoot::expiresAt)).toList();
    Instant end = now.plus(WARNING_PERIOD);
    return new TrustRootExpiryReport(
        all.stream().findFirst().map(TrustRoot::expiresAt),
        all.stream().filter(trustRoot -> trustRoot.expiresAt().isBefore(end)).toList());
  }

  /// For people, one for each root that ends soon.
  List<String> warnings(Instant now) {
    return expiringSoon.stream().map(trustRoot -> describe(trustRoot, now)).toList();
  }

  private static String describe(TrustRoot trustRoot, Instant now) {
    String which = "root %d of %s".formatted(trustRoot.version(), trustRoot.tenant());
    String next = "`uplift keys root renew`, sign, publish";
    return now.isBefore(trustRoot.expiresAt())
        ? "%s ends in %d days, at %s: %s"
            .formatted(
                which, Duration.between(now, trustRoot.expiresAt()).toDays(), trustRoot.expiresAt(), next)
        : "%s has ended at %s, and no upgrade of the tenant begins: %s"
            .formatted(which, trustRoot.expiresAt(), next);
  }
}
