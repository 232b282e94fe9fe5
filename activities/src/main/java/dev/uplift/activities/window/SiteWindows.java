package dev.uplift.activities.window;

import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.Windows;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.LabelWindowRow;
import dev.uplift.store.LabelWindows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The windows of the devices of a tenant, as they stood when this was made: those of a device and
/// those of its labels, each of which has to be open.
public final class SiteWindows {
  private record Label(String name, String value) {}

  private final Map<Label, List<Window>> ofLabels = new HashMap<>();
  private final Map<String, List<Window>> read = new ConcurrentHashMap<>();

  private SiteWindows() {}

  public static SiteWindows of(String tenant, LabelWindows labels) {
    var windows = new SiteWindows();
    for (LabelWindowRow row : labels.list(tenant)) {
      windows.ofLabels.put(new Label(row.label(), row.value()), WindowTexts.read(row.windows()));
    }
    return windows;
  }

  public Windows of(DeviceSpec device) {
    List<List<Window>> levels = new ArrayList<>();
    if (!device.windows().isEmpty()) {
      levels.add(read.computeIfAbsent(device.windows(), WindowTexts::read));
    }
    if (!ofLabels.isEmpty()) {
      device.labels().entrySet().stream()
          .map(label -> ofLabels.get(new Label(label.getKey(), label.getValue())))
          .filter(level -> level != null && !level.isEmpty())
          .forEach(levels::add);
    }
    return new Windows(levels, device.zone());
  }
}
