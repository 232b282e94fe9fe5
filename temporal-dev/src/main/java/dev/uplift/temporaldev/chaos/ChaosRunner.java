package dev.uplift.temporaldev.chaos;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.Sleeper;
import dev.uplift.cli.rollout.RolloutResponse;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.scenario.HostPresenceAwaiter;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.scenario.RepeatedSteps;
import dev.uplift.temporaldev.scenario.SimulatedHosts;
import dev.uplift.temporaldev.scenario.SimulatedRelease;
import dev.uplift.temporaldev.scenario.StackStarter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProcess;
import dev.uplift.temporaldev.stack.StackProgram;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs rollouts over all devices, one after the other, while one part of the stack after the other is killed or
/// frozen, an Uplift server is cut off from all others, or a nats-server from its peers. Then looks whether each device
/// was upgraded by each of them, once, and whether everything is there that was acknowledged.
public final class ChaosRunner {
  private static final String TENANT = "chaos";
  private static final String PACKAGE = "till";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
  private static final Duration PRESENCE_TIMEOUT = Duration.ofMinutes(10);

  private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(10);

  /// A heartbeat may be lost in a fault, and no server knows the version until the next one.
  private static final Duration REPORT_TIMEOUT = HEARTBEAT_INTERVAL.multipliedBy(6);

  /// Longer than anything waits after a fault.
  private static final Duration STALL_TIMEOUT = Duration.ofMinutes(10);

  /// Hosts are missed soon, and steps sent again soon, so that a short run sees it.
  private static final Map<String, String> SERVER_SETTINGS =
      Map.of("UPLIFT_TIMEOUTS_RESEND_INTERVAL", "PT5S", "UPLIFT_RECONCILE_INTERVAL", "PT15S");

  /// Of a cluster, which one fault at a time must not keep from answering. A single server is away while it starts.
  private static final Duration MAX_STANDSTILL = Duration.ofSeconds(30);

  private static final Map<String, String> STEP_TIMES = Map.of("prepare_ms", "500", "upgrade_ms", "1000");
  private static final Map<String, String> PAGES = Map.of("limit", "1000");

  private final Stack stack;
  private final PhaseReporter phases;
  private final ChaosOptions options;
  private final SimulatedHosts hosts;

  /// @param stack with [StackBuilder#serverLinks]
  public ChaosRunner(Stack stack, PhaseReporter phases, ChaosOptions options) {
    this.stack = stack;
    this.phases = phases;
    this.options = options;
    hosts =
        new SimulatedHosts(
            "simulator", TENANT, "sim-", 0, options.devices(), PACKAGE, "1.0", HEARTBEAT_INTERVAL, Map.of());
    stack.servers().forEach(server -> SERVER_SETTINGS.forEach(server::environment));
  }

  /// Blocks until all rollouts have ended.
  public ChaosReport run() {
    var starter = new StackStarter(stack, phases);
    starter.start();
    try (RestClient rest = starter.openTenant(TENANT)) {
      phases.run("devices", () -> addDevices(rest));
      StackProgram simulator = hosts.programOn(stack);
      phases.run(
          "hosts",
          () -> {
            simulator.start();
            return HostPresenceAwaiter.awaitOnline(
                rest, name -> name.startsWith("sim-"), options.devices(), PRESENCE_TIMEOUT);
          });
      return run(rest, simulator);
    }
  }

  private String addDevices(RestClient rest) {
    hosts.hostNames().parallelStream()
        .forEach(host -> {
          ObjectNode body = RestClient.JSON.createObjectNode();
          body.putArray("hosts").add(host);
          body.putObject("labels").put("fleet", TENANT);
          var _ = rest.send("PUT", "devices/" + host, body);
        });
    return Integer.toString(options.devices());
  }

  private ChaosReport run(RestClient rest, StackProgram simulator) {
    var injector = new FaultInjector(killable(), List.of(simulator), detachable(), options.seed());
    Instant begin = Instant.now();
    Instant end = begin.plus(options.duration());
    String tenantUrl = stack.url() + "/v1/tenants/" + TENANT;
    String token = stack.tokens().admin();
    AvailabilityProbe reads =
        new AvailabilityProbe("reads", token, _ -> AvailabilityProbe.to(tenantUrl + "/rollouts?limit=1").GET());
    AvailabilityProbe writes = new AvailabilityProbe("writes", token, number -> writeRequest(tenantUrl, number));
    int rollouts = 0;
    try (reads;
        writes) {
      CompletableFuture<Void> faults = CompletableFuture.runAsync(() -> injector.runUntil(end));
      while (Instant.now().isBefore(end)) {
        int number = ++rollouts;
        phases.run("rollout " + number, () -> runRollout(rest, number));
      }
      faults.join();
    }
    Duration duration = Duration.between(begin, Instant.now());
    List<String> problems = new ArrayList<>();
    int count = rollouts;
    phases.run("inspected", () -> inspect(rest, count, writes.succeeded(), problems));
    if (stack.isCluster()) {
      problems.addAll(standstillProblems(reads.gaps()));
    }
    return ChaosReport.of(options, rollouts, injector.faults(), reads, writes, duration, problems);
  }

  /// All but the load balancer, which stands for one that is not ours, and the Web UI.
  private List<StackProcess> killable() {
    if (!stack.isCluster()) {
      return stack.parts();
    }
    List<StackProcess> parts = new ArrayList<>(stack.cluster().natsServers());
    parts.addAll(stack.cluster().servers());
    parts.add(stack.cluster().postgres());
    parts.add(stack.temporal());
    return parts;
  }

  /// Returns the parts that are cut off. A nats-server that is alone has no peers.
  private List<StackProcess> detachable() {
    List<StackProcess> parts = new ArrayList<>(stack.servers());
    if (stack.isCluster()) {
      parts.addAll(stack.cluster().natsServers());
    }
    return parts;
  }

  /// Each write is a device of its own, without hosts that exist.
  private static HttpRequest.Builder writeRequest(String tenantUrl, int number) {
    ObjectNode body = RestClient.JSON.createObjectNode();
    body.putArray("hosts").add(writtenDevice(number));
    return AvailabilityProbe.to(tenantUrl + "/devices/" + writtenDevice(number))
        .header("Content-Type", "application/json")
        .PUT(BodyPublishers.ofString(body.toString()));
  }

  private static String writtenDevice(int number) {
    return "written-%05d".formatted(number);
  }

  private String runRollout(RestClient rest, int number) {
    SigningKey key = KeyFile.readPrivate(stack.secrets().releaseKeyFile());
    var release = new SimulatedRelease(PACKAGE, versionOf(number), number + 1L, STEP_TIMES);
    untilAnswered(() -> {
      release.publish(rest, key);
      return "";
    });
    ObjectNode plan = RestClient.JSON.createObjectNode();
    plan.put("package", PACKAGE).put("version", versionOf(number));
    plan.put("selection", "labels.fleet == '%s'".formatted(TENANT)).put("everything", true);
    plan.putArray("waves").addObject().put("rest", true);
    plan.putObject("limits").put("max_parallel", Math.max(20, options.devices() / 5));
    plan.putObject("thresholds").put("success_percent", 0).putNull("failures").putNull("failure_percent");
    untilAnswered(() -> rest.send("POST", "rollouts", plan, Map.of("Idempotency-Key", rolloutId(number))));
    return awaitEnd(rest, number);
  }

  private static String versionOf(int rollout) {
    return (rollout + 1) + ".0";
  }

  private static String rolloutId(int number) {
    return "rollout-" + number;
  }

  /// Sends a request that may be repeated until it is answered.
  private static <T> T untilAnswered(Supplier<T> request) {
    Instant until = Instant.now().plus(STALL_TIMEOUT);
    while (true) {
      try {
        return request.get();
      } catch (CliException e) {
        if (Instant.now().isAfter(until)) {
          throw e;
        }
        Sleeper.sleep(POLL_INTERVAL);
      }
    }
  }

  private static String awaitEnd(RestClient rest, int number) {
    return new Poller<>(() -> fetchRollout(rest, number), POLL_INTERVAL, STALL_TIMEOUT)
        .withProgress(rollout -> rollout.counts().finished())
        .poll(RolloutResponse::hasEnded)
        .orElseThrow(last ->
            new CliException(
                CliException.FAILED,
                "no progress for %d min: %s".formatted(STALL_TIMEOUT.toMinutes(), last.counts().summary())))
        .counts()
        .summary();
  }

  private static RolloutResponse fetchRollout(RestClient rest, int number) {
    return untilAnswered(() -> RolloutResponse.of(rest.get("rollouts/" + rolloutId(number))));
  }

  private String inspect(RestClient rest, int rollouts, List<Integer> written, List<String> problems) {
    for (int number = 1; number <= rollouts; number++) {
      problems.addAll(outcomeProblems(rest, number));
    }
    List<JsonNode> upgrades = rest.getAll("upgrades", PAGES).valueStream().toList();
    Map<String, Long> byDevice =
        upgrades.stream()
            .map(upgrade -> upgrade.path("device").asString(""))
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    for (String device : hosts.hostNames()) {
      long count = byDevice.getOrDefault(device, 0L);
      if (count != rollouts) {
        problems.add("%s: expected %d upgrades, found %d".formatted(device, rollouts, count));
      }
    }
    upgrades.parallelStream()
        .map(upgrade -> RepeatedSteps.problems(rest, upgrade.path("id").asString("")))
        .toList()
        .forEach(problems::addAll);
    problems.addAll(
        new Poller<>(() -> versionProblems(rest, rollouts), POLL_INTERVAL, REPORT_TIMEOUT).poll(List::isEmpty).last());
    problems.addAll(lostWrites(rest, written));
    return "%d upgrades, %d writes".formatted(upgrades.size(), written.size());
  }

  private List<String> outcomeProblems(RestClient rest, int number) {
    Map<String, String> outcomes =
        rest.getAll("rollouts/" + rolloutId(number) + "/devices", PAGES)
            .valueStream()
            .collect(
                Collectors.toMap(
                    target -> target.path("device").asString(""),
                    target -> target.path("outcome").asString(target.path("state").asString(""))));
    return hosts.hostNames().stream()
        .filter(device -> !outcomes.getOrDefault(device, "missing").equals("upgraded"))
        .map(device ->
            "%s: expected %s to upgrade it, found %s"
                .formatted(device, rolloutId(number), outcomes.getOrDefault(device, "missing")))
        .toList();
  }

  private List<String> versionProblems(RestClient rest, int rollouts) {
    return rest.getAll("hosts", PAGES)
        .valueStream()
        .filter(host -> host.path("host").asString("").startsWith("sim-"))
        .filter(host -> !host.toString().contains('"' + versionOf(rollouts) + '"'))
        .map(host ->
            "%s: expected %s %s, found %s"
                .formatted(host.path("host").asString(""), PACKAGE, versionOf(rollouts), host))
        .toList();
  }

  private static List<String> lostWrites(RestClient rest, List<Integer> written) {
    Set<String> devices = new HashSet<>();
    rest.getAll("devices", PAGES).forEach(device -> devices.add(device.path("device").asString("")));
    return written.stream()
        .map(ChaosRunner::writtenDevice)
        .filter(device -> !devices.contains(device))
        .map(device -> device + ": was acknowledged and is lost")
        .toList();
  }

  static List<String> standstillProblems(List<AvailabilityProbe.Gap> gaps) {
    return gaps.stream()
        .map(AvailabilityProbe.Gap::duration)
        .filter(duration -> duration.compareTo(MAX_STANDSTILL) > 0)
        .map(duration ->
            "expected an answer to a read within %d s, there was none for %d s"
                .formatted(MAX_STANDSTILL.toSeconds(), duration.toSeconds()))
        .toList();
  }
}
