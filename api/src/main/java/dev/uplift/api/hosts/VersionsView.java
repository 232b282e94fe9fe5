package dev.uplift.api.hosts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.device.VersionCounts;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The installed versions of a package.
///
/// @param versions most hosts first
/// @param unknown hosts that never reported the package
/// @param asOf when it was counted
/// @param oldestReportAt the oldest report that was counted; absent if there is none
@Serdeable
record VersionsView(
    @JsonProperty("package") String packageName,
    List<VersionCountView> versions,
    VersionCountView unknown,
    Instant asOf,
    Optional<Instant> oldestReportAt) {

  /// The number of hosts that run one version.
  ///
  /// @param version `unknown` if it is
  /// @param devices that have such a host; one with hosts of two versions counts at each
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
