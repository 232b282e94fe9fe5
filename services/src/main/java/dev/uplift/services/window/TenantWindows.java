package dev.uplift.services.window;

import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.store.device.LabelWindowRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The windows of the devices of a tenant at one moment: those of a device and those of its labels, which all have to
/// be open.
public final class TenantWindows {
  private record Label(String name, String value) {}

  private final Map<Label, List<Window>> labelWindows = new HashMap<>();
  private final Map<String, List<Window>> parsed = new ConcurrentHashMap<>();

  private TenantWindows() {}

  public static TenantWindows of(String tenant, LabelWindowRepository labels) {
    var windows = new TenantWindows();
    for (LabelWindowRow row : labels.list(tenant)) {
      windows.labelWindows.put(new Label(row.label(), row.value()), WindowJson.read(row.windows()));
    }
    return windows;
  }

  /// Returns the windows of one device. Reads those of labels only if it has labels.
  public static WindowSchedule ofDevice(DeviceSpec device, LabelWindowRepository labels) {
    TenantWindows windows = device.labels().isEmpty() ? new TenantWindows() : of(device.id().tenant(), labels);
    return windows.of(device);
  }

  public WindowSchedule of(DeviceSpec device) {
    List<List<Window>> levels = new ArrayList<>();
    if (!device.windows().isEmpty()) {
      levels.add(parsed.computeIfAbsent(device.windows(), WindowJson::read));
    }
    if (!labelWindows.isEmpty()) {
      device.labels().entrySet().stream()
          .map(label -> labelWindows.get(new Label(label.getKey(), label.getValue())))
          .filter(level -> level != null && !level.isEmpty())
          .forEach(levels::add);
    }
    return new WindowSchedule(levels, device.zone());
  }
}
