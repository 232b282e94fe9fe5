package dev.uplift.e2e;

import static org.awaitility.Awaitility.await;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.UpliftServer;
import dev.uplift.testservers.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/// Devices of one simulated host each, all in one process, and rollouts over them. The same hosts fail with every
/// release, some before they are changed and some after.
final class SimulatedFleet {
  static final String TENANT = "acme";
  private static final String BEFORE = "1.0";
  private static final String WANTED = "2.0";
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  private final Stack stack;
  private final TestRestClient rest;
  private final int devices;

  /// In the order of their first use.
  private final Set<String> rings = new LinkedHashSet<>();

  SimulatedFleet(Stack stack, TestRestClient rest, int devices) {
    this.stack = stack;
    this.rest = rest;
    this.devices = devices;
  }

  /// Returns a server whose loss is noticed soon.
  static UpliftServer withShortTimeouts(UpliftServer upliftServer) {
    return upliftServer
        .environment("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT3S")
        .environment("UPLIFT_TIMEOUTS_MAX_RESEND_INTERVAL", "PT3S")
        .environment("UPLIFT_ROLLOUTS_HEARTBEAT_TIMEOUT", "PT2S")
        .environment("UPLIFT_RECONCILE_INTERVAL", "PT2S")
        .environment("UPLIFT_PRESENCE_SILENT_AFTER", "PT10S");
  }

  /// Returns a server on this database whose loss is noticed soon.
  static UpliftServer on(PostgresServer database, UpliftServer upliftServer) {
    return withShortTimeouts(upliftServer)
        .environment("UPLIFT_DATABASE_URL", database.url("postgres"))
        .environment("UPLIFT_DATABASE_USER", database.user());
  }

  /// Starts the fleet, and returns when all hosts are online.
  ///
  /// @param packages that each host has
  /// @param ring of the device with that number, a value of its label `ring`
  void start(List<String> packages, RingOf ring) {
    stack
        .simulator(
            List.of(
                "--nats",
                stack.nats().url(),
                "--credentials",
                stack.nats().operator().fleetCredentials(TENANT).toString(),
                "--trust",
                stack.secrets().trustFolder(TENANT).toString(),
                "--tenant",
                TENANT,
                "--hosts",
                "sim-###",
                "--count",
                Integer.toString(devices),
                "--heartbeat-seconds",
                "1",
                "--ramp-up-seconds",
                "1",
                "--package",
                packages.getFirst() + "=" + BEFORE,
                "--package",
                packages.getLast() + "=" + BEFORE))
        .launch();
    packages.forEach(this::publish);
    for (int i = 0; i < devices; i++) {
      rest.putDevice(name(i), name(i), "ring", ring.of(i));
      rings.add(ring.of(i));
    }
    await("all hosts are online").atMost(TIMEOUT).until(() -> countOnlineHosts() == devices);
  }

  interface RingOf {
    String of(int number);
  }

  static String name(int number) {
    return "sim-%03d".formatted(number);
  }

  private void publish(String packageName) {
    rest.publish(
        packageName,
        "simulated",
        WANTED,
        20,
        Map.of(
            "prepare_ms", "100",
            "upgrade_ms", "100",
            "fail_prepare", "final disk-full",
            "fail_prepare_percent", "3",
            "fail_upgrade", "final broken",
            "fail_upgrade_percent", "6"));
  }

  private long countOnlineHosts() {
    return rest.get("hosts?limit=1000")
        .expectStatus(200)
        .body()
        .path("items")
        .valueStream()
        .filter(host -> host.path("presence").asString("").equals("online"))
        .count();
  }

  /// Starts a rollout ring by ring that continues whatever fails.
  void rollOut(String packageName, int parallel, int priority) {
    rest.startRollout(
        packageName,
        Map.of(
            "package",
            packageName,
            "version",
            WANTED,
            "selection",
            "true",
            "everything",
            true,
            "waves",
            waves(),
            "priority",
            priority,
            "limits",
            Map.of("max_parallel", parallel),
            "thresholds",
            Map.of(
                "success_percent", 10,
                "failures", devices,
                "failure_percent", 100)));
  }

  private List<Map<String, Object>> waves() {
    List<Map<String, Object>> waves = new ArrayList<>();
    rings.stream()
        .limit(rings.size() - 1)
        .forEach(ring -> waves.add(Map.of("expression", "labels.ring == '" + ring + "'")));
    waves.add(Map.of("rest", true));
    return waves;
  }

  /// Returns how many devices have ended, successfully or not.
  int countEndedDevices(String packageName) {
    JsonNode counts = rest.rollout(packageName).path("counts");
    return IntStream.of(counts.path("succeeded").asInt(), counts.path("failed").asInt(), counts.path("other").asInt())
        .sum();
  }

  void awaitEnded(String packageName, int least) {
    await(least + " devices have ended")
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> countEndedDevices(packageName) >= least);
  }

  JsonNode awaitRollout(String packageName, Predicate<JsonNode> condition) {
    return await("rollout of " + packageName)
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> rest.rollout(packageName), condition);
  }

  /// Returns the state of the rollout at its end.
  String awaitEnd(String packageName) {
    return awaitRollout(packageName, rollout -> rollout.path("state").asString().equals("ended"))
        .path("outcome")
        .asString();
  }
}
