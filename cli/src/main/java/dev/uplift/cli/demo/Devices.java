package dev.uplift.cli.demo;

import dev.uplift.cli.rest.Rest;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The devices of the demo at the server: added, and asked to be upgraded.
final class Devices {
  private final Rest rest;

  Devices(Rest rest) {
    this.rest = rest;
  }

  void add(String name, List<String> hosts) {
    var _ = rest.send("PUT", "devices/" + name, DemoDevice.body(hosts));
  }

  /// Starts an upgrade. A repeat starts no other.
  void upgrade(String id, String device, String packageName, String version) {
    ObjectNode body = Rest.JSON.createObjectNode();
    body.put("package", packageName).put("version", version);
    var _ =
        rest.send("POST", "devices/" + device + "/upgrades", body, Map.of("Idempotency-Key", id));
  }
}
