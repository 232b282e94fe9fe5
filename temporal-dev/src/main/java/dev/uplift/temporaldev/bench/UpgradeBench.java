package dev.uplift.temporaldev.bench;

import dev.uplift.cli.release.ReleaseSigner;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.scenario.HostPresenceAwaiter;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.scenario.SimulatedHosts;
import dev.uplift.temporaldev.scenario.SimulatedRelease;
import dev.uplift.temporaldev.scenario.Sleeper;
import dev.uplift.temporaldev.scenario.StackStarter;
import dev.uplift.temporaldev.scenario.TenantSetup;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProgram;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/// Upgrades simulated devices with one host each: many at once to warm up, then measures all at
/// once, then a few sequentially.
final class UpgradeBench {
  static final String TENANT = "bench";

  private static final String PACKAGE = "app";
  private static final Duration IDLE_TIME = Duration.ofSeconds(10);
  private static final Duration PRESENCE_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

  /// Rare enough to cost nothing compared to hundreds of upgrades.
  private static final Duration BULK_POLL_INTERVAL = Duration.ofSeconds(1);

  private static final int SEQUENTIAL_UPGRADES = 20;
  private static final Duration UPGRADES_TIMEOUT = Duration.ofMinutes(30);

  private final Stack stack;
  private final PhaseReporter phases;
  private final int devices;

  UpgradeBench(Stack stack, PhaseReporter phases, int devices) {
    this.stack = stack;
    this.phases = phases;
    this.devices = devices;
  }

  UpgradeFigures run(int warmUp) {
    StackStarter stackStarter = new StackStarter(stack, phases);
    stackStarter.start();
    try (RestClient restClient = stackStarter.adminClient(TENANT)) {
      ParallelClients parallelClients = new ParallelClients();
      TenantSetup.createTenant(restClient, stack, TENANT);
      phases.run("releases", () -> publish(restClient));
      phases.run("devices", () -> addDevices(restClient, parallelClients, devices));
      StackProgram simulator = simulatedHosts().programOn(stack);
      phases.run("simulator", () -> start(restClient, simulator));
      phases.run("warm-up", () -> upgradeInParallel(restClient, parallelClients, "2.0", warmUp));
      ResourceSnapshot quiet = ResourceSnapshot.capture(stack, simulator);
      phases.run("idle", UpgradeBench::idle);
      ResourceSnapshot before = ResourceSnapshot.capture(stack, simulator);
      phases.run("measured", () -> upgradeInParallel(restClient, parallelClients, "3.0", devices));
      ResourceSnapshot after = ResourceSnapshot.capture(stack, simulator);
      phases.run("one by one", () -> upgradeSequentially(restClient));
      return report(restClient, parallelClients, List.of(quiet, before, after));
    }
  }

  private static String idle() {
    Sleeper.sleep(IDLE_TIME);
    return "";
  }

  private String publish(RestClient restClient) {
    ReleaseSigner key = ReleaseSigner.read(stack.secrets().releaseKeyFile());
    for (int sequence = 2; sequence <= 4; sequence++) {
      new SimulatedRelease(PACKAGE, sequence + ".0", sequence, Map.of()).publish(restClient, key);
    }
    return "";
  }

  static String addDevices(RestClient restClient, ParallelClients parallelClients, int devices) {
    parallelClients.forEach(
        deviceNames(devices),
        device -> {
          ObjectNode body = RestClient.JSON.createObjectNode();
          body.putArray("hosts").add(device);
          var _ = restClient.send("PUT", "devices/" + device, body);
        });
    return Integer.toString(devices);
  }

  private static List<String> deviceNames(int count) {
    return IntStream.range(0, count).mapToObj("sim-%05d"::formatted).toList();
  }

  private SimulatedHosts simulatedHosts() {
    return simulatedHosts(devices);
  }

  static SimulatedHosts simulatedHosts(int devices) {
    return new SimulatedHosts(
        "simulator",
        TENANT,
        "sim-",
        0,
        devices,
        PACKAGE,
        "1.0",
        SimulatedHosts.DEFAULT_HEARTBEAT_INTERVAL,
        Map.of());
  }

  private String start(RestClient restClient, StackProgram simulator) {
    return start(restClient, simulator, devices);
  }

  static String start(RestClient restClient, StackProgram simulator, int devices) {
    simulator.start();
    return HostPresenceAwaiter.awaitOnline(restClient, _ -> true, devices, PRESENCE_TIMEOUT);
  }

  private static String upgradeInParallel(
      RestClient restClient, ParallelClients parallelClients, String version, int count) {
    parallelClients.forEach(deviceNames(count), device -> start(restClient, device, version));
    awaitEnd(restClient, BULK_POLL_INTERVAL);
    return count + " upgrades";
  }

  /// Upgrades one device at a time, which shows latency instead of throughput.
  private String upgradeSequentially(RestClient restClient) {
    List<String> few = deviceNames(Math.min(devices, SEQUENTIAL_UPGRADES));
    for (String device : few) {
      start(restClient, device, "4.0");
      awaitEnd(restClient, POLL_INTERVAL);
    }
    return few.size() + " upgrades";
  }

  private static void start(RestClient restClient, String device, String version) {
    ObjectNode body =
        RestClient.JSON.createObjectNode().put("package", PACKAGE).put("version", version);
    Map<String, String> headers = Map.of("Idempotency-Key", upgradeId(device, version));
    var _ = restClient.send("POST", "devices/" + device + "/upgrades", body, headers);
  }

  /// Blocks until no upgrade runs, whatever the outcomes.
  private static void awaitEnd(RestClient restClient, Duration pollInterval) {
    Instant until = Instant.now().plus(UPGRADES_TIMEOUT);
    while (!restClient.get("upgrades?running=true&limit=1").path("items").isEmpty()) {
      if (Instant.now().isAfter(until)) {
        throw new CliException(
            CliException.FAILED,
            "not all upgrades have ended within " + UPGRADES_TIMEOUT.toMinutes() + " min");
      }
      Sleeper.sleep(pollInterval);
    }
  }

  private static String upgradeId(String device, String version) {
    return device + "-" + version;
  }

  private UpgradeFigures report(
      RestClient restClient, ParallelClients parallelClients, List<ResourceSnapshot> at) {
    ResourceSnapshot before = at.get(1);
    ResourceSnapshot after = at.get(2);
    Map<String, Duration> idle = before.cpuSince(at.get(0));
    idle.replaceAll((_, cpu) -> cpu.dividedBy(IDLE_TIME.toSeconds()));
    MeasuredUpgrades measuredUpgrades =
        measuredUpgrades(restClient, parallelClients, devices, "3.0");
    MeasuredUpgrades alone =
        measuredUpgrades(
            restClient, parallelClients, Math.min(devices, SEQUENTIAL_UPGRADES), "4.0");
    return new UpgradeFigures(
        devices,
        measuredUpgrades.outcomes(),
        measuredUpgrades.duration(),
        after.cpuSince(before),
        idle,
        after.usageByProcess(),
        new HistoryLengths(stack.temporal())
            .ofLatestUpgrades(TENANT, deviceNames(Math.min(devices, 100))),
        Percentiles.of(measuredUpgrades.commandLatenciesMs()),
        Percentiles.of(alone.commandLatenciesMs()));
  }

  private static MeasuredUpgrades measuredUpgrades(
      RestClient restClient, ParallelClients parallelClients, int count, String version) {
    return MeasuredUpgrades.of(
        restClient,
        parallelClients,
        deviceNames(count).stream().map(device -> upgradeId(device, version)).toList());
  }
}
