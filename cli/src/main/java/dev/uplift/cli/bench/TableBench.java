package dev.uplift.cli.bench;

import dev.uplift.cli.local.LocalTrust;
import dev.uplift.cli.local.Phases;
import dev.uplift.cli.local.Servers;
import dev.uplift.cli.local.SimulatedRelease;
import dev.uplift.cli.release.ReleaseKey;
import dev.uplift.cli.rest.Rest;
import dev.uplift.temporaldev.Stack;
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

/// Very many devices in the table, and nothing on the other end: how fast they are listed, and how
/// fast a rollout over all of them is checked, without windows and with windows for each.
final class TableBench {
  private static final String PACKAGE = "app";
  private static final List<String> ZONES =
      List.of(
          "Europe/Berlin",
          "America/New_York",
          "Asia/Kolkata",
          "Australia/Lord_Howe",
          "Africa/Casablanca");
  private static final int RINGS = 10;
  private static final int CHECKS = 3;

  private final Stack stack;
  private final Phases phases;
  private final int devices;
  private final SequencedMap<String, Spread> times = new LinkedHashMap<>();
  private int wouldTakePart;

  TableBench(Stack stack, Phases phases, int devices) {
    this.stack = stack;
    this.phases = phases;
    this.devices = devices;
  }

  TableFigures run() {
    Servers servers = new Servers(stack, phases);
    servers.start();
    try (Rest rest = servers.rest(Bench.TENANT)) {
      LocalTrust.putTenant(rest, stack, Bench.TENANT);
      ReleaseKey key = ReleaseKey.read(stack.secrets().releaseKey());
      new SimulatedRelease(PACKAGE, "2.0", 2, Map.of()).publish(rest, key);
      phases.run("devices", () -> add(rest));
      phases.run("lists", () -> lists(rest));
      phases.run("checks", () -> checks(rest, "validate, no windows"));
      phases.run("windows", () -> addWindows(rest));
      phases.run("checks", () -> checks(rest, "validate, windows of all"));
      return new TableFigures(devices, times, wouldTakePart, Heap.usedKib(stack.server().pid()));
    }
  }

  private String add(Rest rest) {
    new Crowd()
        .each(
            IntStream.range(0, devices).mapToObj(TableBench::name).toList(),
            device -> {
              int number = Integer.parseInt(device.substring(device.indexOf('-') + 1));
              ObjectNode body = Rest.JSON.createObjectNode();
              body.putArray("hosts").add(device);
              body.put("zone", ZONES.get(number % ZONES.size()));
              body.putObject("labels")
                  .put("ring", Integer.toString(number % RINGS))
                  .put("site", "site-" + number / RINGS);
              var _ = rest.send("PUT", "devices/" + device, body);
            });
    return Integer.toString(devices);
  }

  private static String name(int number) {
    return "dev-%07d".formatted(number);
  }

  /// Pages from all over the table, not its first ones alone.
  private String lists(Rest rest) {
    List<String> cursors = cursors(rest, "devices");
    time("devices, a page of 100", cursors, at -> rest.get("devices?limit=100" + at));
    time("of one ring", cursors, at -> rest.get("devices?limit=100&labels=ring=3" + at));
    time("hosts", cursors(rest, "hosts"), at -> rest.get("hosts?limit=100" + at));
    return "";
  }

  private List<String> cursors(Rest rest, String list) {
    List<String> cursors = new ArrayList<>(List.of(""));
    String next = "";
    do {
      next = rest.get(list + "?limit=1000" + next).path("next").asString("");
      next = next.isEmpty() ? "" : "&cursor=" + Rest.segment(next);
      cursors.add(next);
    } while (!next.isEmpty());
    cursors.removeLast();
    return cursors;
  }

  private String addWindows(Rest rest) {
    for (int ring = 0; ring < RINGS; ring++) {
      ObjectNode body = Rest.JSON.createObjectNode();
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

  private String checks(Rest rest, String name) {
    List<JsonNode> answers = new ArrayList<>();
    time(
        name,
        IntStream.range(0, CHECKS).mapToObj("check-%d"::formatted).toList(),
        _ -> answers.add(rest.send("POST", "rollouts?validate=true", plan())));
    wouldTakePart = answers.getLast().path("devices").asInt(0);
    return wouldTakePart + " devices would take part";
  }

  private static ObjectNode plan() {
    ObjectNode plan = Rest.JSON.createObjectNode();
    plan.put("package", PACKAGE).put("version", "2.0");
    plan.put("selection", "int(labels.ring) >= 0 && device.startsWith('dev-')");
    plan.put("everything", true);
    return plan;
  }

  private void time(String name, List<String> each, Consumer<String> work) {
    List<Long> ms = new ArrayList<>();
    for (String one : each) {
      long from = System.nanoTime();
      work.accept(one);
      ms.add(Duration.ofNanos(System.nanoTime() - from).toMillis());
    }
    times.put(name, Spread.of(ms));
  }
}
