package dev.uplift.cli.demo;

import dev.uplift.cli.local.Heard;
import dev.uplift.cli.local.Phases;
import dev.uplift.cli.release.ReleaseKey;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Text;
import dev.uplift.cli.upgrade.UpgradeView;
import dev.uplift.cli.upgrade.Watch;
import dev.uplift.temporaldev.AgentVersion;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The agents of hosts are upgraded, by themselves: beside the old one the new one is started, and
/// takes over when it has found the server. One of them never does.
final class AgentsPart {
  /// For so long a new agent may say nothing. A busy machine takes seconds to start one.
  private static final Map<String, String> SETTINGS = Map.of("mode", "beside", "standby_s", "15");

  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration DONE = Duration.ofMinutes(5);
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int NAMES = 14;

  private final Stack stack;
  private final Screen screen;
  private final Phases phases;
  private final Rest rest;
  private final AgentVersion before;
  private final List<AgentDevice> devices;
  private final Map<String, Host> hosts = new LinkedHashMap<>();

  AgentsPart(Stack stack, Screen screen, Phases phases, Rest rest) {
    this.stack = stack;
    this.screen = screen;
    this.phases = phases;
    this.rest = rest;
    before = stack.agentVersion();
    devices = AgentDevice.all(before.name());
  }

  /// The host of the stack, as every part has it: its agent can be upgraded.
  static Host host(Stack stack, String name) {
    return stack.host(Demo.TENANT, name).upgradesItsAgent(SETTINGS);
  }

  /// Returns whether every agent ended as it should, and works as it should.
  boolean play() {
    phases.run("devices", this::addDevices);
    phases.run("hosts", this::startHosts);
    phases.run("releases", this::publish);
    phases.run("presence", () -> Heard.await(rest, hosts::containsKey, hosts.size(), READY));
    screen.say("");
    try (var heard = new HeardAgents(stack.nats(), Demo.TENANT, hosts, this::tell)) {
      List<UpgradeView> ended = new Watch(rest, screen).untilEnded(start(), DONE);
      var report = AgentsReport.of(devices, before.name(), ended, heard);
      report.show(screen);
      screen.say("");
      ended.forEach(one -> screen.say("  " + Text.pad(one.device(), 20) + one.link()));
      return report.faults().isEmpty();
    }
  }

  private void tell(String host, String alive) {
    screen.say(
        "%s  %s  %s"
            .formatted(
                CLOCK.format(LocalTime.now(ZoneId.systemDefault())),
                Text.pad(host, NAMES),
                screen.terminal().bold("agents: " + alive)));
  }

  /// Those of another part run already.
  private String startHosts() {
    var newcomers = new Newcomers(rest);
    for (AgentDevice device : devices) {
      for (String name : device.hosts()) {
        Host host = host(stack, name);
        hosts.put(name, host);
        newcomers.add(device.name(), host);
      }
    }
    newcomers.join();
    hosts.values().forEach(Host::launch);
    hosts.values().forEach(Host::awaitReady);
    return "agent %s on %d of them, behind a launcher each".formatted(before.name(), hosts.size());
  }

  private String addDevices() {
    for (AgentDevice device : devices) {
      new Devices(rest).add(device.name(), device.hosts());
    }
    return String.join(", ", devices.stream().map(AgentDevice::name).toList());
  }

  private String publish() {
    var key = ReleaseKey.read(stack.secrets().releaseKey());
    var releases = new Releases(rest, key, stack.folder().resolve("releases"));
    releases.publish(before.named(AgentDevice.NEXT), 2);
    releases.publish(before.named(AgentDevice.LOST).thatCannotConnect(), 3);
    return "uplift-agent %s, and %s, which cannot connect"
        .formatted(AgentDevice.NEXT, AgentDevice.LOST);
  }

  private List<String> start() {
    List<String> ids = new ArrayList<>();
    for (AgentDevice device : devices) {
      String id = "demo-agent-" + device.name();
      new Devices(rest).upgrade(id, device.name(), "uplift-agent", device.target());
      ids.add(id);
    }
    return ids;
  }
}
