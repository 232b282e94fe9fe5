package dev.uplift.api.devices;

import dev.uplift.activities.window.WindowTexts;
import dev.uplift.api.call.Call;
import dev.uplift.api.call.Ids;
import dev.uplift.api.call.Takes;
import dev.uplift.api.security.Role;
import dev.uplift.api.settings.ForApi;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.window.Window;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.LabelWindows;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.security.annotation.Secured;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// When a device may be touched: its windows, those of its labels, and what comes of them.
@ForApi
@Controller("/v1/tenants/{tenant}/devices/{device}/windows")
@Secured(Role.VIEWER)
final class DeviceWindowController {
  private static final int USUAL = 3;
  private static final int MOST = 50;

  private final Devices devices;
  private final LabelWindows labelWindows;
  private final InstantSource clock;

  DeviceWindowController(Devices devices, LabelWindows labelWindows, InstantSource clock) {
    this.devices = devices;
    this.labelWindows = labelWindows;
    this.clock = clock;
  }

  @Get
  @Takes("next")
  OpeningsView get(Call call, String device) {
    int count = call.number("next", 1, MOST).orElse(USUAL);
    DeviceId id = Ids.device(call, device);
    DeviceRow row = devices.find(id).orElseThrow(() -> DeviceRefusals.missing(id));
    return OpeningsView.of(row, levels(row), count, clock.instant());
  }

  /// Each subject that has windows, by its name.
  private Map<String, List<Window>> levels(DeviceRow row) {
    Map<String, List<Window>> levels = new LinkedHashMap<>();
    if (!row.spec().windows().isEmpty()) {
      levels.put("device", WindowTexts.read(row.spec().windows()));
    }
    labelWindows.list(row.id().tenant()).stream()
        .filter(one -> one.value().equals(row.spec().labels().get(one.label())))
        .forEach(one ->
            levels.put(
                "label %s=%s".formatted(one.label(), one.value()),
                WindowTexts.read(one.windows())));
    return levels;
  }
}
