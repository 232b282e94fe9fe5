package dev.uplift.api.devices;

import dev.uplift.api.request.QueryParameters;
import dev.uplift.api.request.RequestContext;
import dev.uplift.api.security.Roles;
import dev.uplift.api.settings.RequiresApiRole;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.LabelWindowRepository;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Shows the windows of a device, those of its labels, and its next openings.
@RequiresApiRole
@Controller("/v1/tenants/{tenant}/devices/{device}/windows")
@Secured(Roles.VIEWER)
final class DeviceWindowController {
  private static final int DEFAULT_COUNT = 3;
  private static final int MAX_COUNT = 50;

  private final DeviceRepository devices;
  private final LabelWindowRepository labelWindows;
  private final InstantSource clock;

  DeviceWindowController(DeviceRepository devices, LabelWindowRepository labelWindows, InstantSource clock) {
    this.devices = devices;
    this.labelWindows = labelWindows;
    this.clock = clock;
  }

  /// Shows when a device may be upgraded.
  ///
  /// Its own windows, those of its labels, and the next openings that result from them.
  @Get
  @QueryParameters("count")
  DeviceOpeningsView getDeviceWindows(RequestContext requestContext, DeviceId id) {
    int count = requestContext.queryInt("count", 1, MAX_COUNT).orElse(DEFAULT_COUNT);
    DeviceRow row = devices.find(id).orElseThrow(() -> DeviceProblems.notFound(id));
    return DeviceOpeningsView.of(row, windowsBySource(row), count, clock.instant());
  }

  /// The windows of the device and of its labels, by the name of their source.
  private Map<String, List<Window>> windowsBySource(DeviceRow row) {
    Map<String, List<Window>> levels = new LinkedHashMap<>();
    if (!row.spec().windows().isEmpty()) {
      levels.put("device", WindowJson.read(row.spec().windows()));
    }
    labelWindows.list(row.id().tenant()).stream()
        .filter(one -> one.value().equals(row.spec().labels().get(one.label())))
        .forEach(one -> levels.put("label %s=%s".formatted(one.label(), one.value()), WindowJson.read(one.windows())));
    return levels;
  }
}
