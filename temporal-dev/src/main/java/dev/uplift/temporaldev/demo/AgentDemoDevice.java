package dev.uplift.temporaldev.demo;

import java.util.List;

/// A device whose hosts' agents are upgraded, and what must come of it.
///
/// @param expectedOutcome that is expected
/// @param expectedVersion of the agent that works on its hosts afterwards
/// @param expectedReason in the upgrade's own words; empty where nothing goes wrong
record AgentDemoDevice(
    String name,
    List<String> hosts,
    String targetVersion,
    String expectedOutcome,
    String expectedVersion,
    String expectedReason) {

  static final String NEXT_VERSION = "0.2.0";

  /// It passes every test before it is started, and then cannot connect.
  static final String UNCONNECTABLE_VERSION = "0.3.0";

  /// @param before the version that all of them have
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
