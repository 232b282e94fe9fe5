package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Measures lists and validations with very many devices in the tables and without hosts: a rollout over all of them,
/// without and with maintenance windows.
final class TableBench {
  private static final List<String> ZONES =
      List.of("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca");
  private static final int RINGS = 10;
  private static final int VALIDATIONS = 3;

  private final BenchStack stack;
  private final RestClient rest;
  private final int devices;
  private final SequencedMap<String, Percentiles> latencies = new LinkedHashMap<>();
  private int includedDevices;

  TableBench(BenchStack stack, int devices) {
    this.stack = stack;
    this.rest = stack.rest();
    this.devices = devices;
  }

  TableFigures run() {
    stack.publish("2.0", 2, Map.of());
    stack.phase("devices", this::addDevices);
    stack.phase("lists", this::measureLists);
    stack.phase("checks", () -> measureValidation("validate, no windows"));
    stack.phase("windows", this::addWindows);
    stack.phase("checks", () -> measureValidation("validate, windows of all"));
    return new TableFigures(devices, latencies, includedDevices, stack.serverHeapKib());
  }

  private String addDevices() {
    stack.forEach(
        IntStream.range(0, devices).mapToObj(TableBench::name).toList(),
        device -> {
          int number = Integer.parseInt(device.substring(device.indexOf('-') + 1));
          stack.putDevice(
              device,
              body ->
                  body.put("zone", ZONES.get(number % ZONES.size()))
                      .putObject("labels")
                      .put("ring", Integer.toString(number % RINGS))
                      .put("site", "site-" + number / RINGS));
        });
    return Integer.toString(devices);
  }

  private static String name(int number) {
    return "dev-%07d".formatted(number);
  }

  /// Reads pages of the whole table, not only the first ones.
  private String measureLists() {
    List<String> cursors = pageCursors("devices");
    measure("devices, a page of 100", cursors, at -> rest.get("devices?limit=100" + at));
    measure("of one ring", cursors, at -> rest.get("devices?limit=100&labels=ring=3" + at));
    measure("hosts", pageCursors("hosts"), at -> rest.get("hosts?limit=100" + at));
    return "";
  }

  private List<String> pageCursors(String list) {
    List<String> cursors = new ArrayList<>(List.of(""));
    String next = "";
    do {
      next = rest.get(list + "?limit=1000" + next).path("next_cursor").asString("");
      next = next.isEmpty() ? "" : "&cursor=" + RestClient.pathSegment(next);
      cursors.add(next);
    } while (!next.isEmpty());
    cursors.removeLast();
    return cursors;
  }

  private String addWindows() {
    for (int ring = 0; ring < RINGS; ring++) {
      ObjectNode body = RestClient.JSON.createObjectNode();
      ArrayNode windows = body.putArray("windows");
      for (String start : List.of("01:30", "13:00")) {
        ObjectNode window = windows.addObject();
        window.putArray("days_of_week").add(ring % 2 == 0 ? "sat" : "mon").add("wed");
        window.put("start_time", start).put("duration", "3h").put("timezone", "site-local");
        window.putArray("blackout_dates").add("2026-12-24/2027-01-02");
      }
      var _ = rest.send("PUT", "label-windows/ring/" + ring, body);
    }
    return RINGS + " rings, two windows each";
  }

  private String measureValidation(String name) {
    List<JsonNode> answers = new ArrayList<>();
    measure(
        name,
        IntStream.range(0, VALIDATIONS).mapToObj("check-%d"::formatted).toList(),
        _ -> answers.add(rest.send("POST", "rollouts?validate=true", plan())));
    includedDevices = answers.getLast().path("devices").asInt(0);
    return includedDevices + " devices included";
  }

  private static ObjectNode plan() {
    ObjectNode plan = RestClient.JSON.createObjectNode();
    plan.put("package", BenchStack.PACKAGE).put("version", "2.0");
    plan.put("selection", "int(labels.ring) >= 0 && device.startsWith('dev-')");
    plan.put("everything", true);
    return plan;
  }

  private void measure(String name, List<String> each, Consumer<String> work) {
    List<Long> ms = new ArrayList<>();
    for (String one : each) {
      long from = System.nanoTime();
      work.accept(one);
      ms.add(Duration.ofNanos(System.nanoTime() - from).toMillis());
    }
    latencies.put(name, Percentiles.of(ms));
  }
}
