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

/// What came of the upgrades of agents, and whether it is what had to come of them.
///
/// @param initialVersion version that all agents had
/// @param upgrades in the order of the devices
/// @param runningAgents versions whose agents are alive, by host
/// @param handedOver hosts on which two were alive, one ready to go, the other standing by
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
      AgentHandoverMonitor heard) {
    List<String> hosts = devices.stream().flatMap(device -> device.hosts().stream()).toList();
    Map<String, List<String>> alive = new TreeMap<>();
    hosts.forEach(host -> alive.put(host, heard.awaitSingleAgent(host, TIMEOUT)));
    return new AgentsReport(
        devices, before, upgrades, alive, hosts.stream().filter(heard::sawHandover).toList());
  }

  /// Everything that is not as it should be, in words; empty if all is well.
  List<String> problems() {
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      AgentDemoDevice device = devices.get(i);
      check(faults, device, upgrades.get(i));
      boolean takesOver = device.expectedVersion().equals(device.targetVersion());
      for (String host : device.hosts()) {
        List<String> there = Objects.requireNonNull(runningAgents.get(host));
        if (!there.equals(List.of(device.expectedVersion()))) {
          faults.add(
              "%s has the agents %s, expected %s alone"
                  .formatted(host, there, device.expectedVersion()));
        }
        if (handedOver.contains(host) != takesOver) {
          faults.add(host + (takesOver ? " was never seen with both agents" : " was handed over"));
        }
      }
    }
    return faults;
  }

  private static void check(List<String> faults, AgentDemoDevice device, UpgradeResponse upgrade) {
    if (!upgrade.outcome().equals(device.expectedOutcome())) {
      faults.add(
          "%s ended %s, expected %s"
              .formatted(device.name(), upgrade.outcome(), device.expectedOutcome()));
    }
    if (!upgrade.reason().contains(device.expectedReason())) {
      faults.add(
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
            table, problems(), "one agent works on every host, at every moment; nobody went there")
        .print(screen);
  }

  private String describeAgents(AgentDemoDevice device) {
    String host = device.hosts().getFirst();
    String hosts = device.hosts().size() == 1 ? "" : " on " + device.hosts().size() + " hosts";
    return String.join(", ", Objects.requireNonNull(runningAgents.get(host))) + hosts;
  }
}
