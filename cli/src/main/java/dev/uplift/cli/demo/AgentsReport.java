package dev.uplift.cli.demo;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import dev.uplift.cli.upgrade.UpgradeView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// What came of the upgrades of agents, and whether it is what had to come of them.
///
/// @param before version that all agents had
/// @param ended in the order of the devices
/// @param alive versions whose agents are alive, by host
/// @param handedOver hosts on which two were alive, one ready to go, the other standing by
record AgentsReport(
    List<AgentDevice> devices,
    String before,
    List<UpgradeView> ended,
    Map<String, List<String>> alive,
    List<String> handedOver) {

  private static final Duration SOON = Duration.ofSeconds(10);

  static AgentsReport of(
      List<AgentDevice> devices, String before, List<UpgradeView> ended, HeardAgents heard) {
    List<String> hosts = devices.stream().flatMap(device -> device.hosts().stream()).toList();
    Map<String, List<String>> alive = new TreeMap<>();
    hosts.forEach(host -> alive.put(host, heard.aliveWithin(host, SOON)));
    return new AgentsReport(
        devices, before, ended, alive, hosts.stream().filter(heard::hasHandedOver).toList());
  }

  /// Everything that is not as it should be, in words; empty if all is well.
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (int i = 0; i < devices.size(); i++) {
      AgentDevice device = devices.get(i);
      check(faults, device, ended.get(i));
      boolean takesOver = device.version().equals(device.target());
      for (String host : device.hosts()) {
        List<String> there = Objects.requireNonNull(alive.get(host));
        if (!there.equals(List.of(device.version()))) {
          faults.add(
              "%s has the agents %s, expected %s alone".formatted(host, there, device.version()));
        }
        if (handedOver.contains(host) != takesOver) {
          faults.add(host + (takesOver ? " was never seen with both agents" : " was handed over"));
        }
      }
    }
    return faults;
  }

  private static void check(List<String> faults, AgentDevice device, UpgradeView upgrade) {
    if (!upgrade.outcome().equals(device.outcome())) {
      faults.add(
          "%s ended %s, expected %s".formatted(device.name(), upgrade.outcome(), device.outcome()));
    }
    if (!upgrade.reason().contains(device.reason())) {
      faults.add(
          "%s says \"%s\", expected \"%s\""
              .formatted(device.name(), upgrade.reason(), device.reason()));
    }
  }

  void show(Screen screen) {
    Table table =
        new Table("DEVICE", "RELEASE", "OUTCOME", "TIME", "AGENT BEFORE > AFTER", "FIRST ERROR");
    for (int i = 0; i < devices.size(); i++) {
      AgentDevice device = devices.get(i);
      UpgradeView upgrade = ended.get(i);
      table.row(
          device.name(),
          upgrade.release(),
          upgrade.outcome(),
          DemoReport.time(upgrade),
          before + " > " + works(device),
          upgrade.reason());
    }
    new Conclusion(
            table, faults(), "one agent works on every host, at every moment; nobody went there")
        .show(screen);
  }

  private String works(AgentDevice device) {
    String host = device.hosts().getFirst();
    String hosts = device.hosts().size() == 1 ? "" : " on " + device.hosts().size() + " hosts";
    return String.join(", ", Objects.requireNonNull(alive.get(host))) + hosts;
  }
}
