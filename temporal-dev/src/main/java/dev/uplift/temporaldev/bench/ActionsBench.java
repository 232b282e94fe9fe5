package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import tools.jackson.databind.node.ObjectNode;

/// Measures how long an operator waits for the answer to an action while several rollouts run over a large fleet, of
/// which most devices are offline.
final class ActionsBench {
  /// An upgrade takes about this long, so that the load is that of a fleet and not that of a loop.
  private static final Map<String, String> DURATIONS = Map.of("prepare_ms", "2000", "upgrade_ms", "15000");

  private final BenchStack stack;
  private final RestClient rest;
  private final Parameters parameters;
  private final SequencedMap<String, List<Long>> milliseconds = new LinkedHashMap<>();

  /// Parameters of the measurement.
  ///
  /// @param devices of all rollouts together
  /// @param heard the first of them, which are simulated; the others are offline
  /// @param maxParallel of each rollout
  /// @param time how long rollouts are paused and resumed, one after the other
  record Parameters(int devices, int heard, int rollouts, int maxParallel, Duration time) {}

  ActionsBench(BenchStack stack, Parameters parameters) {
    this.stack = stack;
    this.rest = stack.rest();
    this.parameters = parameters;
  }

  TableFigures run() {
    stack.publish("2.0", 2, DURATIONS);
    stack.phase("devices", this::addDevices);
    var _ = stack.startSimulator(parameters.heard());
    stack.phase("rollouts", this::createAll);
    stack.phase("actions", this::pauseAndResume);
    var latencies = new LinkedHashMap<String, Percentiles>();
    milliseconds.forEach((action, all) -> latencies.put(action, Percentiles.of(all)));
    return new TableFigures(parameters.devices(), latencies, includedDevices(), stack.serverHeapKib());
  }

  private String addDevices() {
    stack.forEach(
        BenchStack.deviceNames(parameters.devices()),
        device -> {
          int number = Integer.parseInt(device.substring(device.indexOf('-') + 1));
          stack.putDevice(device, body -> body.putObject("labels").put("group", "g" + number % parameters.rollouts()));
        });
    return Integer.toString(parameters.devices());
  }

  private String createAll() {
    for (int number = 0; number < parameters.rollouts(); number++) {
      create(number);
    }
    return Integer.toString(parameters.rollouts());
  }

  private void create(int number) {
    ObjectNode plan = RestClient.JSON.createObjectNode();
    plan.put("package", BenchStack.PACKAGE).put("version", "2.0");
    plan.put("selection", "labels.group == 'g%d'".formatted(number));
    plan.put("priority", number).put("everything", true);
    plan.putObject("limits").put("max_parallel", parameters.maxParallel());
    plan.putArray("waves").addObject().put("rest", true);
    measure("create", () -> rest.send("POST", "rollouts", plan, Map.of("Idempotency-Key", id(number))));
  }

  private static String id(int number) {
    return "measured-" + number;
  }

  private String pauseAndResume() {
    long until = System.nanoTime() + parameters.time().toNanos();
    int count = 0;
    while (count == 0 || System.nanoTime() < until) {
      String rollout = "rollouts/" + id(count++ % parameters.rollouts());
      for (String action : List.of("pause", "resume")) {
        ObjectNode reason = RestClient.JSON.createObjectNode().put("reason", "measured");
        measure(action, () -> rest.send("POST", rollout + "/" + action, reason));
      }
    }
    return count + " pauses";
  }

  private int includedDevices() {
    return IntStream.range(0, parameters.rollouts())
        .map(number -> rest.get("rollouts/" + id(number)).at("/counts/devices").asInt(0))
        .sum();
  }

  private void measure(String action, Runnable request) {
    long from = System.nanoTime();
    request.run();
    long took = Duration.ofNanos(System.nanoTime() - from).toMillis();
    milliseconds.computeIfAbsent(action, _ -> new ArrayList<>()).add(took);
  }
}
