package dev.uplift.api.osupgrade;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// The state of the OS upgrade of a tenant, or of one site. Of what was asked for with `fields` and `content`, the rest
/// is absent.
///
/// @param workerApplications the package that is upgraded
/// @param maintenanceWindows in which sites are upgraded
/// @param status `idle`, or `upgrading` while a site is
/// @param nextUpgradeIn time to the next opening of the windows, such as `1d4h18s`; absent if there is none, or if each
///   site has its own
/// @param scheduledWorkers the hosts that take part, a thousand at most
/// @param lastUpgradeInfo the newest upgrade of a site that has ended; absent if there is none
@Serdeable
record OsUpgradeStateView(
    @JsonProperty("worker-applications") Optional<List<WorkerApplicationView>> workerApplications,
    @JsonProperty("maintenance-windows") Optional<List<MaintenanceWindowView>> maintenanceWindows,
    Optional<String> status,
    @JsonProperty("next-upgrade-in") Optional<String> nextUpgradeIn,
    @JsonProperty("scheduled-workers") Optional<List<ScheduledWorkerView>> scheduledWorkers,
    @JsonProperty("last-upgrade-info") Optional<LastUpgradeInfoView> lastUpgradeInfo) {
  static final List<String> NONCONFIG = List.of("status", "next-upgrade-in", "scheduled-workers", "last-upgrade-info");
  static final List<String> FIELDS =
      List.of(
          "worker-applications",
          "maintenance-windows",
          "status",
          "next-upgrade-in",
          "scheduled-workers",
          "last-upgrade-info");

  /// A host that takes part.
  ///
  /// @param application the package that it reports
  @Serdeable
  record ScheduledWorkerView(String host, String application) {}

  /// An upgrade of a site that has ended.
  ///
  /// @param result `completed`, or how it ended otherwise, such as `rolled-back`
  @Serdeable
  record LastUpgradeInfoView(
      @JsonProperty("start-time") Instant startTime,
      @JsonProperty("end-time") Instant endTime,
      String result,
      List<UpgradedHostView> hosts) {}

  /// A host of it.
  ///
  /// @param status how far it got, such as `upgraded`
  @Serdeable
  record UpgradedHostView(String hostname, String status) {}

  /// The versions that a host reported last.
  ///
  /// @param versions by package
  @Serdeable
  record OsUpgradeHostView(String hostname, SortedMap<String, String> versions) {}
}
