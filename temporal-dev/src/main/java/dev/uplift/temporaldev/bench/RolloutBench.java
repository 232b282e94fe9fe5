package dev.uplift.temporaldev.bench;

import dev.uplift.cli.release.ReleaseSigner;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rollout.RolloutResponse;
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
import java.util.SequencedMap;
import java.util.TreeMap;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs a small rollout to warm up, then measures one over all devices. Resumes it when it pauses
/// by itself, as an operator would.
final class RolloutBench {
  static final String ID = "measured";

  private static final String PACKAGE = "app";
  private static final String INITIAL_VERSION = "1.0";
  private static final Duration PRESENCE_TIMEOUT = Duration.ofMinutes(10);
  private static final Duration ROLLOUT_TIMEOUT = Duration.ofHours(2);

  /// Rare enough to cost little.
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  private static final int HEAP_SAMPLES = 3;
  private static final int SAMPLED_HISTORIES = 20;

  private final Stack stack;
  private final PhaseReporter phases;
  private final Parameters parameters;
  private final SimulatedHosts hosts;
  private final SequencedMap<Integer, Long> heapKib = new TreeMap<>();

  /// Parameters of the measurement.
  ///
  /// @param failingPercent share of hosts that fail
  /// @param maxFailures threshold of failures per wave
  record Parameters(
      int devices, int waves, int failingPercent, int maxFailures, int maxParallel, int warmUp) {}

  RolloutBench(Stack stack, PhaseReporter phases, Parameters parameters) {
    this.stack = stack;
    this.phases = phases;
    this.parameters = parameters;
    this.hosts =
        new SimulatedHosts(
            "simulator",
            UpgradeBench.TENANT,
            "sim-",
            0,
            parameters.devices(),
            PACKAGE,
            INITIAL_VERSION,
            SimulatedHosts.DEFAULT_HEARTBEAT_INTERVAL,
            Map.of());
  }

  RolloutFigures run() {
    StackStarter stackStarter = new StackStarter(stack, phases);
    stackStarter.start();
    try (RestClient restClient = stackStarter.adminClient(UpgradeBench.TENANT)) {
      ParallelClients parallelClients = new ParallelClients();
      TenantSetup.createTenant(restClient, stack, UpgradeBench.TENANT);
      phases.run("releases", () -> publish(restClient));
      phases.run("devices", () -> addDevices(restClient, parallelClients));
      StackProgram simulator = hosts.programOn(stack);
      phases.run("simulator", () -> startSimulator(restClient, simulator));
      if (parameters.warmUp() > 0) {
        phases.run("warm-up", () -> warmUp(restClient));
      }
      heapKib.put(0, JavaHeap.usedKib(stack.server().pid()));
      ResourceSnapshot before = ResourceSnapshot.capture(stack, simulator);
      phases.run("rollout", () -> runMeasuredRollout(restClient));
      ResourceSnapshot after = ResourceSnapshot.capture(stack, simulator);
      return new RolloutFigures(
          parameters,
          MeasuredRollout.of(restClient, parallelClients, ID),
          after.cpuSince(before),
          after.usageByProcess(),
          heapKib,
          new HistoryLengths(stack.temporal())
              .ofWorkflows(List.of("rollout/" + UpgradeBench.TENANT + "/" + ID)),
          new HistoryLengths(stack.temporal())
              .ofLatestUpgrades(UpgradeBench.TENANT, sampledDevices()));
    }
  }

  private List<String> sampledDevices() {
    return hosts.hostNames().subList(0, Math.min(parameters.devices(), SAMPLED_HISTORIES));
  }

  private String publish(RestClient restClient) {
    ReleaseSigner key = ReleaseSigner.read(stack.secrets().releaseKeyFile());
    new SimulatedRelease(PACKAGE, INITIAL_VERSION, 1, Map.of()).publish(restClient, key);
    new SimulatedRelease(PACKAGE, "2.0", 2, Map.of()).publish(restClient, key);
    Map<String, String> driverSettings =
        parameters.failingPercent() == 0
            ? Map.of()
            : Map.of(
                "fail_upgrade",
                "final broken",
                "fail_upgrade_percent",
                "" + parameters.failingPercent());
    new SimulatedRelease(PACKAGE, "3.0", 3, driverSettings).publish(restClient, key);
    return "";
  }

  private String addDevices(RestClient restClient, ParallelClients parallelClients) {
    parallelClients.forEach(
        hosts.hostNames(),
        device -> {
          ObjectNode body = RestClient.JSON.createObjectNode();
          body.putArray("hosts").add(device);
          var _ = restClient.send("PUT", "devices/" + device, body);
        });
    return Integer.toString(parameters.devices());
  }

  private String startSimulator(RestClient restClient, StackProgram simulator) {
    simulator.start();
    return HostPresenceAwaiter.awaitOnline(
        restClient, _ -> true, parameters.devices(), PRESENCE_TIMEOUT);
  }

  private String warmUp(RestClient restClient) {
    ObjectNode plan = plan("2.0", "device < 'sim-%05d'".formatted(parameters.warmUp()));
    plan.putArray("waves").addObject().put("rest", true);
    create(restClient, "warm-up", plan);
    while (!fetch(restClient, "warm-up").hasEnded()) {
      Sleeper.sleep(POLL_INTERVAL);
    }
    return parameters.warmUp() + " upgrades";
  }

  private ObjectNode plan(String version, String selection) {
    ObjectNode plan = RestClient.JSON.createObjectNode();
    plan.put("package", PACKAGE).put("version", version);
    plan.put("selection", selection).put("everything", true);
    plan.putObject("limits").put("max_parallel", parameters.maxParallel());
    return plan;
  }

  private static void create(RestClient restClient, String id, ObjectNode plan) {
    var _ = restClient.send("POST", "rollouts", plan, Map.of("Idempotency-Key", id));
  }

  private static RolloutResponse fetch(RestClient restClient, String id) {
    return RolloutResponse.of(restClient.get("rollouts/" + id));
  }

  private String runMeasuredRollout(RestClient restClient) {
    ObjectNode plan = plan("3.0", "true");
    ArrayNode waves = plan.putArray("waves");
    for (int wave = 1; wave < parameters.waves(); wave++) {
      waves.addObject().put("count", parameters.devices() / parameters.waves());
    }
    waves.addObject().put("rest", true);
    ObjectNode thresholds = plan.putObject("thresholds").putNull("failure_percent");
    if (parameters.failingPercent() == 0) {
      thresholds.put("success_percent", 100).put("failures", 1);
    } else {
      thresholds.put("success_percent", 80).put("failures", parameters.maxFailures());
    }
    create(restClient, ID, plan);
    return awaitEnd(restClient);
  }

  private String awaitEnd(RestClient restClient) {
    Instant until = Instant.now().plus(ROLLOUT_TIMEOUT);
    int pauses = 0;
    RolloutResponse now = fetch(restClient, ID);
    while (!now.hasEnded()) {
      if (Instant.now().isAfter(until)) {
        throw new CliException(
            CliException.FAILED,
            "the rollout has not ended within " + ROLLOUT_TIMEOUT.toHours() + " h");
      }
      sampleHeap(now.counts().finished());
      if (now.state().equals("paused") && now.counts().inProgress() == 0) {
        pauses++;
        var _ =
            restClient.send(
                "POST",
                "rollouts/" + ID + "/resume",
                RestClient.JSON.createObjectNode().put("reason", "seen"));
      }
      Sleeper.sleep(POLL_INTERVAL);
      now = fetch(restClient, ID);
    }
    sampleHeap(now.counts().finished());
    return "%s, %d pauses".formatted(now.counts().summary(), pauses);
  }

  /// Measures the heap after each third.
  private void sampleHeap(int done) {
    int next = heapKib.size() * parameters.devices() / HEAP_SAMPLES;
    if (done >= next && heapKib.size() <= HEAP_SAMPLES) {
      heapKib.put(done, JavaHeap.usedKib(stack.server().pid()));
    }
  }
}
