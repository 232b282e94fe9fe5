package dev.uplift.cli.device;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// What a device is to be. Its windows are [WindowOptions].
final class DeviceOptions {
  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "In the order in which they are to be upgraded; may be repeated.")
  @Nullable List<String> hosts;

  @Option(names = "--label", paramLabel = "NAME=VALUE", description = "May be repeated.")
  @Nullable Map<String, String> labels;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "IANA time zone of the site; of a new one: UTC.")
  @Nullable String zone;

  /// All of it: what nobody says is as usual.
  ObjectNode fullBody() {
    if (hosts == null) {
      throw CliException.usageError("Missing required option: '--host=HOST'");
    }
    return patchBody(List.of());
  }

  /// What somebody said, and nothing else.
  ///
  /// @param noLabels names of those that are taken away
  ObjectNode patchBody(List<String> noLabels) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    if (hosts != null) {
      hosts.forEach(body.putArray("hosts")::add);
    }
    if (labels != null || !noLabels.isEmpty()) {
      ObjectNode named = body.putObject("labels");
      new TreeMap<>(labels == null ? Map.of() : labels).forEach(named::put);
      noLabels.forEach(named::putNull);
    }
    if (zone != null) {
      body.put("zone", zone);
    }
    return body;
  }
}
