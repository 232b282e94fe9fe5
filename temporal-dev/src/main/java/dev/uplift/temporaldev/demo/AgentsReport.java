package dev.uplift.temporaldev.demo;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.upgrade.UpgradeResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// The results of the upgrades of agents, compared with the expected ones.
///
/// @param initialVersion first version of all agents
/// @param upgrades in the order of the devices
/// @param runningAgents versions of the running agents by host
/// @param handedOver hosts with an observed handover
record AgentsReport(
    List<AgentDemoDevice> devices,
    String initialVersion,
    List<UpgradeResponse> upgrades,
    Map<String, List<String>> runningAgents,
    List<String> handedOver) {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  static AgentsReport of(
      List<AgentDemoDevice> devices,
      String before,
      List<UpgradeResponse> upgrades,
      AgentHandoverMonitor monitor) {
    List<String> hosts = devices.stream().flatMap(device -> device.hosts().stream()).toList();
    Map<String, List<String>> alive = new TreeMap<>();
    hosts.forEach(host -> alive.put(host, monitor.awaitSingleAgent(host, TIMEOUT)));
    return new AgentsReport(
        devices, before, upgrades, alive, hosts.stream().filter(monitor::sawHandover).toList());
  }

  /// Returns all differences from the expected results as sentences.
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      AgentDemoDevice device = devices.get(i);
      check(problems, device, upgrades.get(i));
      boolean takesOver = device.expectedVersion().equals(device.targetVersion());
      for (String host : device.hosts()) {
        List<String> there = Objects.requireNonNull(runningAgents.get(host));
        if (!there.equals(List.of(device.expectedVersion()))) {
          problems.add(
              "%s has the agents %s, expected %s alone"
                  .formatted(host, there, device.expectedVersion()));
        }
        if (handedOver.contains(host) != takesOver) {
          problems.add(
              host + (takesOver ? " was never seen with both agents" : " was handed over"));
        }
      }
    }
    return problems;
  }

  private static void check(
      List<String> problems, AgentDemoDevice device, UpgradeResponse upgrade) {
    if (!upgrade.outcome().equals(device.expectedOutcome())) {
      problems.add(
          "%s ended %s, expected %s"
              .formatted(device.name(), upgrade.outcome(), device.expectedOutcome()));
    }
    if (!upgrade.reason().contains(device.expectedReason())) {
      problems.add(
          "%s says \"%s\", expected \"%s\""
              .formatted(device.name(), upgrade.reason(), device.expectedReason()));
    }
  }

  void print(Screen screen) {
    Table table =
        new Table("DEVICE", "RELEASE", "OUTCOME", "TIME", "AGENT BEFORE > AFTER", "FIRST ERROR");
    for (int i = 0; i < devices.size(); i++) {
      AgentDemoDevice device = devices.get(i);
      UpgradeResponse upgrade = upgrades.get(i);
      table.addRow(
          device.name(),
          upgrade.release(),
          upgrade.outcome(),
          DevicesReport.upgradeDuration(upgrade),
          initialVersion + " > " + describeAgents(device),
          upgrade.reason());
    }
    new PartConclusion(
            table,
            problems(),
            "one agent works on every host at every moment; no one had to go there")
        .print(screen);
  }

  private String describeAgents(AgentDemoDevice device) {
    String host = device.hosts().getFirst();
    String hosts = device.hosts().size() == 1 ? "" : " on " + device.hosts().size() + " hosts";
    return String.join(", ", Objects.requireNonNull(runningAgents.get(host))) + hosts;
  }
}
