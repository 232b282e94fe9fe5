package dev.uplift.api.hosts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.version.DayVersions;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;

/// How many hosts ran which version of a package, day by day.
///
/// @param days oldest first; the last one is today
@Serdeable
record VersionHistoryView(@JsonProperty("package") String packageName, List<DayView> days) {

  /// A day.
  ///
  /// @param at the end of the day, UTC; of today, now
  /// @param versions that hosts ran then, also hosts that are on no device
  @Serdeable
  record DayView(Instant at, List<HostCountView> versions) {}

  /// The number of hosts that ran one version.
  @Serdeable
  record HostCountView(String version, long hosts) {}

  static VersionHistoryView of(String packageName, List<DayVersions> days) {
    return new VersionHistoryView(packageName, days.stream().map(VersionHistoryView::view).toList());
  }

  private static DayView view(DayVersions day) {
    return new DayView(
        day.at(),
        day.hosts().entrySet().stream().map(count -> new HostCountView(count.getKey(), count.getValue())).toList());
  }
}
