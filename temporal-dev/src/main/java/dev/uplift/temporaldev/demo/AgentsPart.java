package dev.uplift.temporaldev.demo;

import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.stack.StackHost;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Upgrades agents of hosts: the new agent starts in parallel to the old one and takes over once it has found the
/// server. One of them never does.
final class AgentsPart {
  private static final Duration SINGLE_AGENT_TIMEOUT = Duration.ofSeconds(10);
  private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int NAME_WIDTH = 14;

  private final DemoContext demo;
  private final AgentVersion initialVersion;
  private final List<DemoDevice> devices;
  private final Map<String, StackHost> hosts = new LinkedHashMap<>();

  AgentsPart(DemoContext demo) {
    this.demo = demo;
    initialVersion = demo.stack().agentVersion();
    devices = DemoDevice.withAgents(initialVersion.name());
    devices.forEach(device -> device.hosts().forEach(name -> hosts.put(name, demo.host(name))));
  }

  /// Returns whether every upgrade ended as expected with the expected agents.
  boolean run() {
    demo.phases().run("devices", () -> demo.addDevices(devices));
    demo.phases().run("hosts", this::startHosts);
    demo.phases().run("releases", this::publish);
    demo.phases().run("presence", () -> demo.awaitOnline(hosts::containsKey, hosts.size()));
    demo.screen().printLine("");
    try (var monitor = new AgentHandoverMonitor(demo.stack().nats(), DemoContext.TENANT, hosts, this::printAgents)) {
      List<UpgradeResponse> upgrades = demo.upgrade("demo-agent-", devices);
      Map<String, List<String>> running = new TreeMap<>();
      hosts.keySet().forEach(host -> running.put(host, monitor.awaitSingleAgent(host, SINGLE_AGENT_TIMEOUT)));
      return report(devices, upgrades, running, monitor::sawHandover)
          .print(demo.screen(), "one agent works on every host at every moment; no one had to go there");
    }
  }

  /// @param running versions of the running agents by host
  /// @param handedOver whether a handover was observed on a host
  static UpgradeReport report(
      List<DemoDevice> devices,
      List<UpgradeResponse> upgrades,
      Map<String, List<String>> running,
      Predicate<String> handedOver) {
    Map<String, String> before = new TreeMap<>();
    devices.forEach(device -> device.hosts().forEach(host -> before.put(host, device.initialVersion())));
    Map<String, String> after = new TreeMap<>();
    running.forEach((host, versions) -> after.put(host, String.join(", ", versions)));
    return new UpgradeReport(
        "AGENT",
        devices,
        upgrades,
        before,
        after,
        (device, host) -> {
          List<String> problems = new ArrayList<>();
          if (!after.getOrDefault(host, "").equals(device.expectedVersion())) {
            problems.add(
                "%s has the agents %s, expected %s alone".formatted(host, running.get(host), device.expectedVersion()));
          }
          boolean takesOver = device.expectedVersion().equals(device.targetVersion());
          if (handedOver.test(host) != takesOver) {
            problems.add(host + (takesOver ? " was never seen with both agents" : " was handed over"));
          }
          return problems;
        });
  }

  private void printAgents(String host, String alive) {
    Screen screen = demo.screen();
    screen.printLine(
        "%s  %s  %s"
            .formatted(
                TIME_OF_DAY.format(LocalTime.now(ZoneId.systemDefault())),
                TextFormat.pad(host, NAME_WIDTH),
                screen.terminal().bold("agents: " + alive)));
  }

  private String startHosts() {
    demo.startHosts(devices);
    return "agent %s on %d hosts, each behind its launcher".formatted(initialVersion.name(), hosts.size());
  }

  private String publish() {
    DemoReleases releases = demo.releases();
    releases.publish(initialVersion.withName(DemoDevice.NEXT_AGENT), 2);
    releases.publish(initialVersion.withName(DemoDevice.UNCONNECTABLE_AGENT).withoutConnectivity(), 3);
    return "uplift-agent %s, and %s, which cannot connect"
        .formatted(DemoDevice.NEXT_AGENT, DemoDevice.UNCONNECTABLE_AGENT);
  }
}
