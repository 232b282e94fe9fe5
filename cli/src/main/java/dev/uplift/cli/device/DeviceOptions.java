package dev.uplift.cli.device;

import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.rest.CliException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// Properties of a device, without its windows, see [WindowOptions].
final class DeviceOptions {
  @Option(names = "--host", paramLabel = "HOST", description = "A host; may be repeated, in the order of upgrades.")
  @Nullable List<String> hosts;

  @Option(names = "--label", paramLabel = "NAME=VALUE", description = "May be repeated.")
  @Nullable Map<String, String> labels;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "IANA time zone of the site; default for a new device: UTC.")
  @Nullable String zone;

  /// Returns the whole device; options that were not given have their defaults.
  ObjectNode fullBody() {
    if (hosts == null) {
      throw CliException.usageError("Missing required option: '--host=HOST'");
    }
    return patchBody(List.of());
  }

  /// Returns the given options only.
  ///
  /// @param noLabels names of labels to remove
  ObjectNode patchBody(List<String> noLabels) {
    ObjectNode body = new RequestFields().put("hosts", hosts).json();
    if (labels != null || !noLabels.isEmpty()) {
      ObjectNode named = body.putObject("labels");
      new TreeMap<>(labels == null ? Map.of() : labels).forEach(named::put);
      noLabels.forEach(named::putNull);
    }
    return new RequestFields(body).put("zone", zone).json();
  }
}
