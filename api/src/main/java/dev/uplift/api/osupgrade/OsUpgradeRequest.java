package dev.uplift.api.osupgrade;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.window.Window;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Size;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The OS upgrade as clients write it.
///
/// @param workerApplications the package that is upgraded; one, because a policy is for one
/// @param maintenanceWindows none: sites are upgraded whenever their own windows are open
/// @param json as it was sent, to be recorded in the audit
@Introspected
record OsUpgradeRequest(
    @JsonProperty("worker-applications") @Size(min = 1, max = 1) List<WorkerApplicationView> workerApplications,
    @JsonProperty("maintenance-windows") @Bindable(defaultValue = "[]") @Size(max = Window.MAX_WINDOWS)
        List<MaintenanceWindowView> maintenanceWindows,
    @JsonIgnore ObjectNode json)
    implements RequestBody {

  String packageName() {
    return workerApplications.getFirst().name();
  }

  List<Window> windows() {
    return maintenanceWindows.stream().map(MaintenanceWindowView::window).distinct().toList();
  }

  /// The JSON of a configuration, to be patched.
  static ObjectNode toJson(String packageName, List<Window> windows) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.putArray("worker-applications").addObject().put("name", packageName);
    ArrayNode all = json.putArray("maintenance-windows");
    for (MaintenanceWindowView view : MaintenanceWindowView.all(windows)) {
      all.addObject()
          .put("days-of-week", view.daysOfWeek())
          .put("start-time", view.startTime())
          .put("timezone", view.timezone())
          .put("duration", view.duration());
    }
    return json;
  }
}
