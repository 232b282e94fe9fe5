package dev.uplift.temporaldev.demo;

import dev.uplift.cli.rest.RestClient;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A device of the demo, its upgrade, and the expected result.
///
/// @param description of its purpose
/// @param packageName of the upgraded package
/// @param targetVersion of the upgrade
/// @param initialShopdVersion version of shopd on its hosts before
/// @param expectedOutcome of the upgrade
/// @param expectedShopdVersion version of shopd on its hosts afterwards
record DemoDevice(
    String name,
    String description,
    List<String> hosts,
    String packageName,
    String targetVersion,
    String initialShopdVersion,
    String expectedOutcome,
    String expectedShopdVersion) {

  boolean isKiosk() {
    return packageName.equals(KioskHost.PACKAGE);
  }

  /// Returns the request that adds a device.
  static ObjectNode requestBody(List<String> hosts) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    hosts.forEach(body.putArray("hosts")::add);
    body.putObject("labels").put("demo", "yes");
    return body.put("zone", "Europe/Berlin");
  }

  /// Returns all devices.
  static List<DemoDevice> all() {
    return List.of(
        new DemoDevice(
            "shop-hamburg",
            "a site with three hosts, one after the other",
            List.of("hamburg-1", "hamburg-2", "hamburg-3"),
            "shopd",
            "1.5.0",
            "1.4.0",
            "upgraded",
            "1.5.0"),
        new DemoDevice(
            "kiosk-lisbon",
            "a system image, which needs a reboot",
            List.of("lisbon"),
            KioskHost.PACKAGE,
            "7.2",
            "1.4.0",
            "upgraded",
            "1.5.0"),
        new DemoDevice(
            "shop-oslo",
            "already has the version",
            List.of("oslo"),
            "shopd",
            "1.5.0",
            "1.5.0",
            "no-action",
            "1.5.0"),
        new DemoDevice(
            "shop-vienna",
            "a version that does not pass its health check",
            List.of("vienna"),
            "shopd",
            "1.6.0",
            "1.4.0",
            "rolled-back",
            "1.4.0"));
  }
}
