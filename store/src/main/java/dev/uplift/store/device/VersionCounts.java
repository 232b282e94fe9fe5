package dev.uplift.store.device;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Which versions of a package run in a tenant. Hosts that are on no device do not count.
///
/// @param known most hosts first
/// @param unknown hosts that never named the package, and their devices
/// @param countedAt when it was counted
/// @param oldestReportAt the oldest word that counts, of info or beat; empty if none does
public record VersionCounts(
    String packageName, List<Count> known, Count unknown, Instant countedAt, Optional<Instant> oldestReportAt) {
  public VersionCounts {
    known = List.copyOf(known);
  }

  /// How many run one version.
  ///
  /// @param version `unknown` where it is
  /// @param devices that have such a host; one with hosts of two versions counts at each
  public record Count(String version, long hosts, long devices) {}
}
