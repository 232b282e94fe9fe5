package dev.uplift.api.hosts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.device.VersionCounts;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Which versions of a package run.
///
/// @param versions most hosts first
/// @param unknown hosts that never named the package
/// @param asOf when it was counted
/// @param oldestReportAt the oldest word that counts; absent if none does
@Serdeable
record VersionsView(
    @JsonProperty("package") String packageName,
    List<VersionCountView> versions,
    VersionCountView unknown,
    Instant asOf,
    Optional<Instant> oldestReportAt) {

  /// How many run one version.
  @Serdeable
  record VersionCountView(String version, long hosts, long devices) {
    static VersionCountView of(VersionCounts.Count count) {
      return new VersionCountView(count.version(), count.hosts(), count.devices());
    }
  }

  static VersionsView of(VersionCounts counts) {
    return new VersionsView(
        counts.packageName(),
        counts.known().stream().map(VersionCountView::of).toList(),
        VersionCountView.of(counts.unknown()),
        counts.countedAt(),
        counts.oldestReportAt());
  }
}
