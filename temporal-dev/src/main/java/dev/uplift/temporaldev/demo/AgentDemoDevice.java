package dev.uplift.temporaldev.demo;

import java.util.List;

/// A device whose agents are upgraded, and the expected result.
///
/// @param expectedOutcome of the upgrade
/// @param expectedVersion of the agents afterwards
/// @param expectedReason part of the reason of the upgrade; empty for a success
record AgentDemoDevice(
    String name,
    List<String> hosts,
    String targetVersion,
    String expectedOutcome,
    String expectedVersion,
    String expectedReason) {

  static final String NEXT_VERSION = "0.2.0";

  /// Passes every test before its start, and then cannot connect.
  static final String UNCONNECTABLE_VERSION = "0.3.0";

  /// Returns all devices.
  ///
  /// @param before their first agent version
  static List<AgentDemoDevice> all(String before) {
    return List.of(
        expectUpgraded("shop-hamburg", List.of("hamburg-1", "hamburg-2", "hamburg-3")),
        expectUpgraded("shop-oslo", List.of("oslo")),
        new AgentDemoDevice(
            "shop-vienna",
            List.of("vienna"),
            UNCONNECTABLE_VERSION,
            "rolled-back",
            before,
            "no heartbeat of it"));
  }

  private static AgentDemoDevice expectUpgraded(String name, List<String> hosts) {
    return new AgentDemoDevice(name, hosts, NEXT_VERSION, "upgraded", NEXT_VERSION, "");
  }
}
