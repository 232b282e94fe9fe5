package dev.uplift.temporaldev.demo;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.cli.upgrade.UpgradeWatcher;
import dev.uplift.temporaldev.scenario.HostPresenceAwaiter;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.stack.JoinCommandResult;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackHost;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Everything that the parts of the demo share, and the steps that several of them have.
record DemoContext(Stack stack, Screen screen, PhaseReporter phases, RestClient rest) {
  static final String TENANT = "acme";
  private static final Duration PRESENCE_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration UPGRADES_TIMEOUT = Duration.ofMinutes(5);

  /// A busy machine takes seconds to start an agent.
  private static final Map<String, String> AGENT_SETTINGS = Map.of("mode", "parallel", "standby_timeout_seconds", "15");

  DemoReleases releases() {
    return new DemoReleases(
        rest, KeyFile.readPrivate(stack.secrets().releaseKeyFile()), stack.folder().resolve("releases"));
  }

  /// Returns a host with an upgradable agent. Those of another part already run.
  StackHost host(String name) {
    return stack.host(TENANT, name).withUpgradableAgent(AGENT_SETTINGS);
  }

  String addDevices(List<DemoDevice> devices) {
    for (DemoDevice device : devices) {
      ObjectNode body = RestClient.JSON.createObjectNode();
      device.hosts().forEach(body.putArray("hosts")::add);
      body.putObject("labels").put("demo", "yes");
      body.put("zone", "Europe/Berlin");
      var _ = rest.send("PUT", "devices/" + device.name(), body);
    }
    return String.join(", ", devices.stream().map(DemoDevice::name).toList());
  }

  /// Lets the hosts of the devices join the fleet with a token each, unless they have joined, and starts them.
  void startHosts(List<DemoDevice> devices) {
    Map<String, StackHost> hosts = new LinkedHashMap<>();
    ObjectNode body = RestClient.JSON.createObjectNode();
    ArrayNode requests = body.putArray("hosts");
    for (DemoDevice device : devices) {
      for (String name : device.hosts()) {
        hosts.put(name, host(name));
        if (!Files.exists(host(name).credentialsFile())) {
          requests.addObject().put("device", device.name()).put("host", name);
        }
      }
    }
    if (!requests.isEmpty()) {
      join(hosts, rest.send("POST", "enrolments", body).path("items"));
    }
    hosts.values().forEach(StackHost::launch);
    hosts.values().forEach(StackHost::awaitReady);
  }

  private static void join(Map<String, StackHost> hosts, JsonNode tokens) {
    List<CompletableFuture<JoinCommandResult>> joining = new ArrayList<>();
    for (JsonNode each : tokens) {
      StackHost host = Objects.requireNonNull(hosts.get(each.path("host").asString("")));
      String token = each.path("token").asString("");
      joining.add(
          CompletableFuture.supplyAsync(() -> host.join(token), task -> Thread.ofPlatform().daemon().start(task)));
    }
    for (CompletableFuture<JoinCommandResult> each : joining) {
      JoinCommandResult result = each.join();
      if (result.exitCode() != 0) {
        throw new CliException(CliException.UNSUCCESSFUL_OUTCOME, "a host could not join: " + result.output());
      }
    }
  }

  /// @param filter by name of the host
  String awaitOnline(Predicate<String> filter, int count) {
    return HostPresenceAwaiter.awaitOnline(rest, filter, count, PRESENCE_TIMEOUT);
  }

  /// Upgrades the devices in parallel. Blocks until all upgrades have ended and returns them in the order of the
  /// devices.
  ///
  /// @param idPrefix of the upgrades
  List<UpgradeResponse> upgrade(String idPrefix, List<DemoDevice> devices) {
    List<String> ids = new ArrayList<>();
    for (DemoDevice device : devices) {
      String id = idPrefix + device.name();
      ObjectNode body = RestClient.JSON.createObjectNode();
      body.put("package", device.packageName()).put("version", device.targetVersion());
      String path = "devices/" + device.name() + "/upgrades";
      var _ = rest.send("POST", path, body, Map.of("Idempotency-Key", id));
      ids.add(id);
    }
    return new UpgradeWatcher(rest, screen).awaitEnd(ids, UPGRADES_TIMEOUT);
  }
}
