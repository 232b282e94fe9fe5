package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rollout.RolloutResponse;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.stack.StackProgram;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs a small rollout to warm up, then measures one over all devices. Resumes it when it pauses by itself, as an
/// operator would.
final class RolloutBench {
  static final String ID = "measured";
  private static final Duration ROLLOUT_TIMEOUT = Duration.ofHours(2);

  /// Rare enough to cost little.
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  private static final int HEAP_SAMPLES = 3;
  private static final int SAMPLED_HISTORIES = 20;

  private final BenchStack stack;
  private final RestClient rest;
  private final Parameters parameters;
  private final SequencedMap<Integer, Long> heapKib = new TreeMap<>();
  private int pauses;

  /// Parameters of the measurement.
  ///
  /// @param failingPercent share of hosts that fail
  /// @param maxFailures threshold of failures per wave
  record Parameters(int devices, int waves, int failingPercent, int maxFailures, int maxParallel, int warmUp) {}

  RolloutBench(BenchStack stack, Parameters parameters) {
    this.stack = stack;
    this.rest = stack.rest();
    this.parameters = parameters;
  }

  RolloutFigures run() {
    int devices = parameters.devices();
    stack.phase("releases", this::publish);
    stack.addDevices(devices);
    StackProgram simulator = stack.startSimulator(devices);
    if (parameters.warmUp() > 0) {
      stack.phase("warm-up", this::warmUp);
    }
    heapKib.put(0, stack.serverHeapKib());
    ResourceSnapshot before = stack.resources(simulator);
    stack.phase("rollout", this::runMeasuredRollout);
    ResourceSnapshot after = stack.resources(simulator);
    return new RolloutFigures(
        parameters,
        MeasuredRollout.of(stack, ID),
        new ProcessCosts(devices, after.cpuSince(before), after.usageByProcess()),
        heapKib,
        stack.historyLengths(List.of("rollout/" + BenchStack.TENANT + "/" + ID)),
        stack.upgradeHistoryLengths(Math.min(devices, SAMPLED_HISTORIES)));
  }

  private String publish() {
    stack.publish("1.0", 1, Map.of());
    stack.publish("2.0", 2, Map.of());
    String percent = Integer.toString(parameters.failingPercent());
    stack.publish(
        "3.0",
        3,
        parameters.failingPercent() == 0
            ? Map.of()
            : Map.of("fail_upgrade", "final broken", "fail_upgrade_percent", percent));
    return "";
  }

  private String warmUp() {
    ObjectNode plan = plan("2.0", "device < 'sim-%05d'".formatted(parameters.warmUp()));
    plan.putArray("waves").addObject().put("rest", true);
    create("warm-up", plan);
    var _ = awaitEnd(() -> fetch("warm-up"));
    return parameters.warmUp() + " upgrades";
  }

  private ObjectNode plan(String version, String selection) {
    ObjectNode plan = RestClient.JSON.createObjectNode();
    plan.put("package", BenchStack.PACKAGE).put("version", version);
    plan.put("selection", selection).put("everything", true);
    plan.putObject("limits").put("max_parallel", parameters.maxParallel());
    return plan;
  }

  private void create(String id, ObjectNode plan) {
    var _ = rest.send("POST", "rollouts", plan, Map.of("Idempotency-Key", id));
  }

  private RolloutResponse fetch(String id) {
    return RolloutResponse.of(rest.get("rollouts/" + id));
  }

  private String runMeasuredRollout() {
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
    create(ID, plan);
    RolloutResponse ended = awaitEnd(this::fetchAndResume);
    return "%s, %d pauses".formatted(ended.counts().summary(), pauses);
  }

  private static RolloutResponse awaitEnd(Supplier<RolloutResponse> rollout) {
    return new Poller<>(rollout, POLL_INTERVAL, ROLLOUT_TIMEOUT)
        .poll(RolloutResponse::hasEnded)
        .orElseThrow(last ->
            new CliException(
                CliException.FAILED,
                "the rollout has not ended within %d h: %s"
                    .formatted(ROLLOUT_TIMEOUT.toHours(), last.counts().summary())));
  }

  /// Samples the heap, and resumes the rollout if it is paused and nothing of it runs.
  private RolloutResponse fetchAndResume() {
    RolloutResponse now = fetch(ID);
    sampleHeap(now.counts().finished());
    if (now.state().equals("paused") && now.counts().inProgress() == 0) {
      pauses++;
      var _ = rest.send("POST", "rollouts/" + ID + "/resume", RestClient.JSON.createObjectNode().put("reason", "seen"));
    }
    return now;
  }

  /// Measures the heap after each third.
  private void sampleHeap(int done) {
    int next = heapKib.size() * parameters.devices() / HEAP_SAMPLES;
    if (done >= next && heapKib.size() <= HEAP_SAMPLES) {
      heapKib.put(done, stack.serverHeapKib());
    }
  }
}
