package dev.uplift.store.device;

import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How many hosts and devices run one version.
///
/// @param version empty for hosts that never reported the package
/// @param oldest report that counts
@Introspected
record CountedVersion(@Nullable String version, long hosts, long devices, @Nullable Instant oldest) {

  boolean isKnown() {
    return version != null;
  }

  VersionCounts.Count count() {
    return new VersionCounts.Count(version == null ? "unknown" : version, hosts, devices);
  }
}
