package dev.uplift.temporaldev.demo;

import dev.uplift.cli.rest.RestClient;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Adds devices and starts their upgrades.
final class DemoDevices {
  private final RestClient rest;

  DemoDevices(RestClient rest) {
    this.rest = rest;
  }

  void add(String name, List<String> hosts) {
    var _ = rest.send("PUT", "devices/" + name, DemoDevice.requestBody(hosts));
  }

  /// Starts an upgrade. Idempotent by its id.
  void startUpgrade(String id, String device, String packageName, String version) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    body.put("package", packageName).put("version", version);
    var _ =
        rest.send("POST", "devices/" + device + "/upgrades", body, Map.of("Idempotency-Key", id));
  }
}
