package dev.uplift.cli.keys;

import dev.uplift.protocol.TrustRoot.Role;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Thresholds and expiry of a root.
final class RootOptions {
  private static final Duration DEFAULT_VALIDITY = Duration.ofDays(365);

  @Option(
      names = "--threshold",
      paramLabel = "ROLE=N",
      description = "Number of keys of a role that must sign: root=2; default: as before, or 1.")
  private @Nullable Map<Role, Integer> thresholds;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "Expiry, after which hosts start nothing new: 2027-11-21T00:00:00Z; default: in a year.")
  private @Nullable Instant expires;

  Instant expiry() {
    return expires == null ? Instant.now().plus(DEFAULT_VALIDITY).truncatedTo(ChronoUnit.SECONDS) : expires;
  }

  RootDraft applyTo(RootDraft draft) {
    if (thresholds != null) {
      thresholds.forEach(draft::threshold);
    }
    return draft;
  }
}
