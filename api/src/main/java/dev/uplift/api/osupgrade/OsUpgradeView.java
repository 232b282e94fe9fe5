package dev.uplift.api.osupgrade;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.fleet.window.Window;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Optional;

/// The OS upgrade of a tenant. Of what was asked for with `fields`, the rest is absent.
///
/// @param workerApplications the package that is upgraded
/// @param maintenanceWindows in which sites are upgraded
@Serdeable
record OsUpgradeView(
    @JsonProperty("worker-applications") Optional<List<WorkerApplicationView>> workerApplications,
    @JsonProperty("maintenance-windows") Optional<List<MaintenanceWindowView>> maintenanceWindows) {
  static final List<String> FIELDS = List.of("worker-applications", "maintenance-windows");

  static OsUpgradeView of(String packageName, List<Window> windows, RequestedFields fields) {
    return new OsUpgradeView(
        fields.ifRequested("worker-applications", () -> List.of(new WorkerApplicationView(packageName))),
        fields.ifRequested("maintenance-windows", () -> MaintenanceWindowView.all(windows)));
  }
}
