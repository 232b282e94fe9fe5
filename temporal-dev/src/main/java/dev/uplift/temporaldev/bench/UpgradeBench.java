package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.stack.StackProgram;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Upgrades simulated devices with one host each: many at once to warm up, then measures all at once, then a few
/// sequentially.
record UpgradeBench(BenchStack stack, int devices, int warmUp) {
  private static final Duration IDLE_TIME = Duration.ofSeconds(10);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

  /// Rare enough to cost nothing compared to hundreds of upgrades.
  private static final Duration BULK_POLL_INTERVAL = Duration.ofSeconds(1);

  private static final int SEQUENTIAL_UPGRADES = 20;
  private static final int SAMPLED_HISTORIES = 100;
  private static final Duration UPGRADES_TIMEOUT = Duration.ofMinutes(30);

  UpgradeFigures run() {
    stack.phase("releases", this::publish);
    stack.addDevices(devices);
    StackProgram simulator = stack.startSimulator(devices);
    stack.phase("warm-up", () -> upgradeInParallel("2.0", warmUp));
    ResourceSnapshot quiet = stack.resources(simulator);
    stack.sleep("idle", IDLE_TIME);
    ResourceSnapshot before = stack.resources(simulator);
    stack.phase("measured", () -> upgradeInParallel("3.0", devices));
    ResourceSnapshot after = stack.resourcesAfterWork(simulator);
    stack.phase("one by one", this::upgradeSequentially);
    Map<String, Duration> idle = before.cpuSince(quiet);
    idle.replaceAll((_, cpu) -> cpu.dividedBy(IDLE_TIME.toSeconds()));
    MeasuredUpgrades parallel = measuredUpgrades(devices, "3.0");
    MeasuredUpgrades sequential = measuredUpgrades(Math.min(devices, SEQUENTIAL_UPGRADES), "4.0");
    return new UpgradeFigures(
        parallel,
        new ProcessCosts(devices, after.cpuSince(before), after.usageByProcess()),
        idle,
        stack.upgradeHistoryLengths(Math.min(devices, SAMPLED_HISTORIES)),
        Percentiles.of(sequential.commandLatenciesMs()),
        after.operationsSince(before),
        stack.floor(devices));
  }

  private String publish() {
    for (int sequence = 2; sequence <= 4; sequence++) {
      stack.publish(sequence + ".0", sequence, Map.of());
    }
    return "";
  }

  private String upgradeInParallel(String version, int count) {
    stack.forEach(BenchStack.deviceNames(count), device -> start(device, version));
    awaitEnd(BULK_POLL_INTERVAL);
    return count + " upgrades";
  }

  /// Upgrades one device at a time, which shows latency instead of throughput.
  private String upgradeSequentially() {
    List<String> few = BenchStack.deviceNames(Math.min(devices, SEQUENTIAL_UPGRADES));
    for (String device : few) {
      start(device, "4.0");
      awaitEnd(POLL_INTERVAL);
    }
    return few.size() + " upgrades";
  }

  private void start(String device, String version) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    body.put("package", BenchStack.PACKAGE).put("version", version);
    Map<String, String> headers = Map.of("Idempotency-Key", upgradeId(device, version));
    var _ = stack.rest().send("POST", "devices/" + device + "/upgrades", body, headers);
  }

  private static String upgradeId(String device, String version) {
    // Without a dot, which the ids of upgrades of rollouts have.
    return device + "-" + version.replace('.', '-');
  }

  /// Blocks until no upgrade runs, whatever the outcomes.
  private void awaitEnd(Duration pollInterval) {
    var _ =
        new Poller<>(
                () -> stack.rest().get("upgrades?running=true&limit=1").path("items"), pollInterval, UPGRADES_TIMEOUT)
            .poll(JsonNode::isEmpty)
            .orElseThrow(running ->
                new CliException(
                    CliException.FAILED,
                    "not all upgrades have ended within %d min, such as %s"
                        .formatted(UPGRADES_TIMEOUT.toMinutes(), running.path(0).path("id"))));
  }

  private MeasuredUpgrades measuredUpgrades(int count, String version) {
    return MeasuredUpgrades.of(
        stack.upgrades(BenchStack.deviceNames(count).stream().map(device -> upgradeId(device, version)).toList()));
  }
}
