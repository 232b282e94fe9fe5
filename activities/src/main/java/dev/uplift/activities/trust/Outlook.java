package dev.uplift.activities.trust;

import dev.uplift.protocol.Root;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Which roots end soon. With one that has ended nothing new is begun in its tenant.
///
/// @param first when the first one ends; empty where there is none
/// @param soon those that end within [#SOON], the first one first
record Outlook(Optional<Instant> first, List<Root> soon) {
  /// Time enough to get those together who have root keys.
  static final Duration SOON = Duration.ofDays(30);

  /// @param roots the newest of each tenant
  static Outlook of(Collection<Root> roots, Instant now) {
    List<Root> all = roots.stream().sorted(Comparator.comparing(Root::expiresAt)).toList();
    Instant end = now.plus(SOON);
    return new Outlook(
        all.stream().findFirst().map(Root::expiresAt),
        all.stream().filter(root -> root.expiresAt().isBefore(end)).toList());
  }

  /// For people, one for each root that ends soon.
  List<String> warnings(Instant now) {
    return soon.stream().map(root -> inWords(root, now)).toList();
  }

  private static String inWords(Root root, Instant now) {
    String which = "root %d of %s".formatted(root.version(), root.tenant());
    String next = "`uplift keys root renew`, sign, publish";
    return now.isBefore(root.expiresAt())
        ? "%s ends in %d days, at %s: %s"
            .formatted(
                which, Duration.between(now, root.expiresAt()).toDays(), root.expiresAt(), next)
        : "%s has ended at %s, and no upgrade of the tenant begins: %s"
            .formatted(which, root.expiresAt(), next);
  }
}
