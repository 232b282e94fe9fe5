package dev.uplift.cli.demo;

import java.util.List;

/// A device whose hosts' agents are upgraded, and what must come of it.
///
/// @param outcome that is expected
/// @param version of the agent that works on its hosts afterwards
/// @param reason in the upgrade's own words; empty where nothing goes wrong
record AgentDevice(
    String name, List<String> hosts, String target, String outcome, String version, String reason) {

  static final String NEXT = "0.2.0";

  /// It passes every test before it is started, and then cannot connect.
  static final String LOST = "0.3.0";

  /// @param before the version that all of them have
  static List<AgentDevice> all(String before) {
    return List.of(
        upgraded("shop-hamburg", List.of("hamburg-1", "hamburg-2", "hamburg-3")),
        upgraded("shop-oslo", List.of("oslo")),
        new AgentDevice(
            "shop-vienna", List.of("vienna"), LOST, "rolled-back", before, "no heartbeat of it"));
  }

  private static AgentDevice upgraded(String name, List<String> hosts) {
    return new AgentDevice(name, hosts, NEXT, "upgraded", NEXT, "");
  }
}
