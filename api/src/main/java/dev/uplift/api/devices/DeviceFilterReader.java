package dev.uplift.api.devices;

import dev.uplift.api.request.LabelRules;
import dev.uplift.api.request.RequestContext;
import dev.uplift.fleet.NameRule;
import dev.uplift.store.device.DeviceFilter;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Reads which devices to list: `labels=ring=1,site=x`, `package=shopd&version=1.0`.
final class DeviceFilterReader {
  private DeviceFilterReader() {}

  static DeviceFilter read(RequestContext requestContext) {
    return new DeviceFilter(
        requestContext.queryText("labels").map(DeviceFilterReader::labels).orElse(Map.of()),
        runningVersion(requestContext));
  }

  private static Map<String, String> labels(String selector) {
    Map<String, String> labels = new TreeMap<>();
    for (String label : selector.split(",", -1)) {
      int equals = label.indexOf('=');
      if (equals < 0) {
        throw invalidLabels("expected name=value, more of them with commas between");
      }
      String name = RequestContext.parse("labels", () -> LabelRules.requireValidName(label.substring(0, equals)));
      if (labels.put(name, label.substring(equals + 1)) != null) {
        throw invalidLabels("label %s is there twice".formatted(name));
      }
    }
    return labels;
  }

  private static RuntimeException invalidLabels(String detail) {
    return RequestContext.invalidParameter("labels", detail);
  }

  private static Optional<DeviceFilter.RunningVersion> runningVersion(RequestContext requestContext) {
    Optional<String> packageName = requestContext.queryName("package", NameRule.PACKAGE);
    Optional<String> version = requestContext.queryName("version", NameRule.VERSION);
    if (packageName.isPresent() != version.isPresent()) {
      throw RequestContext.invalidParameter(
          packageName.isPresent() ? "version" : "package",
          "expected package and version together; the version may be unknown");
    }
    return packageName.map(name -> new DeviceFilter.RunningVersion(name, version.orElseThrow()));
  }
}
