package dev.uplift.temporaldev.demo;

import java.util.List;

/// A device of the demo, its upgrade, and the expected result.
///
/// @param packageName of the upgraded package
/// @param targetVersion of the upgrade
/// @param initialVersion of shopd, or of the agents, on its hosts before
/// @param expectedOutcome of the upgrade
/// @param expectedVersion of shopd, or of the agents, on its hosts afterwards
/// @param expectedReason part of the reason of the upgrade
record DemoDevice(
    String name,
    List<String> hosts,
    String packageName,
    String targetVersion,
    String initialVersion,
    String expectedOutcome,
    String expectedVersion,
    String expectedReason) {
  static final String NEXT_AGENT = "0.2.0";

  /// Passes every test before its start, and then cannot connect.
  static final String UNCONNECTABLE_AGENT = "0.3.0";

  private static final List<String> HAMBURG = List.of("hamburg-1", "hamburg-2", "hamburg-3");

  boolean isKiosk() {
    return packageName.equals(KioskHost.PACKAGE);
  }

  /// Returns the devices whose service is upgraded.
  static List<DemoDevice> withService() {
    return List.of(
        // A site with three hosts, one after the other.
        shopd("shop-hamburg", HAMBURG, "1.5.0", "1.4.0", "upgraded", "1.5.0"),
        // A system image, which needs a reboot.
        new DemoDevice("kiosk-lisbon", List.of("lisbon"), KioskHost.PACKAGE, "7.2", "1.4.0", "upgraded", "1.5.0", ""),
        // Already has the version.
        shopd("shop-oslo", List.of("oslo"), "1.5.0", "1.5.0", "no-action", "1.5.0"),
        // A version that does not pass its health check.
        shopd("shop-vienna", List.of("vienna"), "1.6.0", "1.4.0", "rolled-back", "1.4.0"));
  }

  /// Returns the devices whose agents are upgraded.
  ///
  /// @param initialVersion first version of all agents
  static List<DemoDevice> withAgents(String initialVersion) {
    return List.of(
        agent("shop-hamburg", HAMBURG, NEXT_AGENT, initialVersion, "upgraded", NEXT_AGENT, ""),
        agent("shop-oslo", List.of("oslo"), NEXT_AGENT, initialVersion, "upgraded", NEXT_AGENT, ""),
        agent(
            "shop-vienna",
            List.of("vienna"),
            UNCONNECTABLE_AGENT,
            initialVersion,
            "rolled-back",
            initialVersion,
            "no heartbeat of it"));
  }

  private static DemoDevice shopd(
      String name, List<String> hosts, String target, String initial, String outcome, String expected) {
    return new DemoDevice(name, hosts, "shopd", target, initial, outcome, expected, "");
  }

  private static DemoDevice agent(
      String name, List<String> hosts, String target, String initial, String outcome, String expected, String reason) {
    return new DemoDevice(name, hosts, "uplift-agent", target, initial, outcome, expected, reason);
  }
}
