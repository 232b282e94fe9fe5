package dev.uplift.api.devices;

import dev.uplift.api.call.Call;
import dev.uplift.api.call.Labels;
import dev.uplift.api.json.Wrong;
import dev.uplift.store.DeviceFilter;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Which devices a list is to have: `labels=ring=1,site=x`, `package=shopd&version=1.0`.
final class DeviceSelection {
  private DeviceSelection() {}

  static DeviceFilter of(Call call) {
    return new DeviceFilter(
        call.text("labels").map(DeviceSelection::labels).orElse(Map.of()), runs(call));
  }

  private static Map<String, String> labels(String selector) {
    Map<String, String> labels = new TreeMap<>();
    for (String label : selector.split(",", -1)) {
      int equals = label.indexOf('=');
      if (equals < 0) {
        throw wrong("expected name=value, more of them with commas between");
      }
      try {
        String name = Labels.check(label.substring(0, equals));
        if (labels.put(name, label.substring(equals + 1)) != null) {
          throw wrong("label %s is there twice".formatted(name));
        }
      } catch (Wrong e) {
        throw wrong(e.detail());
      }
    }
    return labels;
  }

  private static RuntimeException wrong(String detail) {
    return Call.wrong("labels", detail);
  }

  private static Optional<DeviceFilter.Runs> runs(Call call) {
    Optional<String> packageName = call.text("package");
    Optional<String> version = call.text("version");
    if (packageName.isPresent() != version.isPresent()) {
      throw Call.wrong(
          packageName.isPresent() ? "version" : "package",
          "expected package and version together; the version may be unknown");
    }
    return packageName.map(name -> new DeviceFilter.Runs(name, version.orElseThrow()));
  }
}
