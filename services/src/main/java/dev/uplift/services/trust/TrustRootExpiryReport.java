package dev.uplift.services.trust;

import dev.uplift.protocol.TrustRoot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The trust roots that expire soon. While its root is expired, a tenant starts nothing new.
///
/// @param firstExpiry when the first one expires; empty if there is none
/// @param expiringSoon those that expire within [#WARNING_PERIOD], the first one first
record TrustRootExpiryReport(Optional<Instant> firstExpiry, List<TrustRoot> expiringSoon) {
  /// Enough time to bring the holders of the root keys together.
  static final Duration WARNING_PERIOD = Duration.ofDays(30);

  /// Creates a report.
  ///
  /// @param roots the newest of each tenant
  static TrustRootExpiryReport of(Collection<TrustRoot> roots, Instant now) {
    List<TrustRoot> all = roots.stream().sorted(Comparator.comparing(TrustRoot::expiresAt)).toList();
    Instant end = now.plus(WARNING_PERIOD);
    return new TrustRootExpiryReport(
        all.stream().findFirst().map(TrustRoot::expiresAt),
        all.stream().filter(trustRoot -> trustRoot.expiresAt().isBefore(end)).toList());
  }

  /// One message for people for each root that expires soon.
  List<String> warnings(Instant now) {
    return expiringSoon.stream().map(trustRoot -> describe(trustRoot, now)).toList();
  }

  private static String describe(TrustRoot trustRoot, Instant now) {
    String which = "root %d of %s".formatted(trustRoot.version(), trustRoot.tenant());
    String next = "`uplift keys root renew`, sign, publish";
    return now.isBefore(trustRoot.expiresAt())
        ? "%s expires in %d days, at %s: %s"
            .formatted(which, Duration.between(now, trustRoot.expiresAt()).toDays(), trustRoot.expiresAt(), next)
        : "%s expired at %s, and no upgrade of the tenant starts: %s".formatted(which, trustRoot.expiresAt(), next);
  }
}
