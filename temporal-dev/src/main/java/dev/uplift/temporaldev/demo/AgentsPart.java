package dev.uplift.temporaldev.demo;

import dev.uplift.cli.release.ReleaseSigner;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.TextFormat;
import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.cli.upgrade.UpgradeWatcher;
import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.scenario.HostPresenceAwaiter;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Upgrades agents of hosts: the new agent starts in parallel to the old one and takes over once it
/// has found the server. One of them never does.
final class AgentsPart {
  /// A busy machine takes seconds to start an agent.
  private static final Map<String, String> DRIVER_SETTINGS =
      Map.of("mode", "parallel", "standby_timeout_seconds", "15");

  private static final Duration PRESENCE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration UPGRADES_TIMEOUT = Duration.ofMinutes(5);
  private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int NAME_WIDTH = 14;

  private final Stack stack;
  private final Screen screen;
  private final PhaseReporter phases;
  private final RestClient rest;
  private final AgentVersion initialVersion;
  private final List<AgentDemoDevice> devices;
  private final Map<String, StackHost> hosts = new LinkedHashMap<>();

  AgentsPart(Stack stack, Screen screen, PhaseReporter phases, RestClient rest) {
    this.stack = stack;
    this.screen = screen;
    this.phases = phases;
    this.rest = rest;
    initialVersion = stack.agentVersion();
    devices = AgentDemoDevice.all(initialVersion.name());
  }

  /// Returns a host with an upgradable agent, as all parts use it.
  static StackHost upgradableHost(Stack stack, String name) {
    return stack.host(Demo.TENANT, name).withUpgradableAgent(DRIVER_SETTINGS);
  }

  /// Returns whether every upgrade ended as expected with the expected agents.
  boolean run() {
    phases.run("devices", this::addDevices);
    phases.run("hosts", this::startHosts);
    phases.run("releases", this::publish);
    phases.run(
        "presence",
        () ->
            HostPresenceAwaiter.awaitOnline(
                rest, hosts::containsKey, hosts.size(), PRESENCE_TIMEOUT));
    screen.printLine("");
    try (var monitor =
        new AgentHandoverMonitor(stack.nats(), Demo.TENANT, hosts, this::printAgents)) {
      List<UpgradeResponse> upgrades =
          new UpgradeWatcher(rest, screen).awaitEnd(startUpgrades(), UPGRADES_TIMEOUT);
      var report = AgentsReport.of(devices, initialVersion.name(), upgrades, monitor);
      report.print(screen);
      screen.printLine("");
      upgrades.forEach(
          one -> screen.printLine("  " + TextFormat.pad(one.device(), 20) + one.temporalLink()));
      return report.problems().isEmpty();
    }
  }

  private void printAgents(String host, String alive) {
    screen.printLine(
        "%s  %s  %s"
            .formatted(
                TIME_OF_DAY.format(LocalTime.now(ZoneId.systemDefault())),
                TextFormat.pad(host, NAME_WIDTH),
                screen.terminal().bold("agents: " + alive)));
  }

  /// Starts the hosts; those of another part already run.
  private String startHosts() {
    var hostJoiner = new HostJoiner(rest);
    for (AgentDemoDevice device : devices) {
      for (String name : device.hosts()) {
        StackHost stackHost = upgradableHost(stack, name);
        hosts.put(name, stackHost);
        hostJoiner.add(device.name(), stackHost);
      }
    }
    hostJoiner.join();
    hosts.values().forEach(StackHost::launch);
    hosts.values().forEach(StackHost::awaitReady);
    return "agent %s on %d hosts, each behind its launcher"
        .formatted(initialVersion.name(), hosts.size());
  }

  private String addDevices() {
    for (AgentDemoDevice device : devices) {
      new DemoDevices(rest).add(device.name(), device.hosts());
    }
    return String.join(", ", devices.stream().map(AgentDemoDevice::name).toList());
  }

  private String publish() {
    var key = ReleaseSigner.read(stack.secrets().releaseKeyFile());
    var demoReleases = new DemoReleases(rest, key, stack.folder().resolve("releases"));
    demoReleases.publish(initialVersion.withName(AgentDemoDevice.NEXT_VERSION), 2);
    demoReleases.publish(
        initialVersion.withName(AgentDemoDevice.UNCONNECTABLE_VERSION).withoutConnectivity(), 3);
    return "uplift-agent %s, and %s, which cannot connect"
        .formatted(AgentDemoDevice.NEXT_VERSION, AgentDemoDevice.UNCONNECTABLE_VERSION);
  }

  private List<String> startUpgrades() {
    List<String> ids = new ArrayList<>();
    for (AgentDemoDevice device : devices) {
      String id = "demo-agent-" + device.name();
      new DemoDevices(rest).startUpgrade(id, device.name(), "uplift-agent", device.targetVersion());
      ids.add(id);
    }
    return ids;
  }
}
