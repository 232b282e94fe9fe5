package dev.uplift.temporaldev.demo;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rollout.RolloutResponse;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Table;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// What came of the demo's rollout, and whether it is what had to come of it.
///
/// @param windowOpens when the window of those opens that have one
/// @param devices of the rollout, by name, as the server says
/// @param versions that the devices' hosts run
/// @param decisions its decisions, the newest first
record RolloutReport(
    List<DemoStore> stores,
    Instant windowOpens,
    Map<String, JsonNode> devices,
    Map<String, String> versions,
    List<JsonNode> decisions) {
  static final String VERSION = "2.5.0";

  private static final DateTimeFormatter TIME_OF_DAY = DateTimeFormatter.ofPattern("EEE HH:mm:ss");

  static RolloutReport of(RestClient restClient, String id, List<DemoStore> stores, Instant opens) {
    Map<String, JsonNode> devices = new TreeMap<>();
    restClient
        .getAll("rollouts/" + id + "/devices", Map.of())
        .forEach(device -> devices.put(device.path("device").asString(""), device));
    Map<String, String> versions = new HashMap<>();
    restClient
        .getAll("hosts", Map.of())
        .forEach(host ->
            versions.put(host.path("device").asString(""), host.at("/versions/till").asString("")));
    List<JsonNode> decided =
        restClient.getAll("rollouts/" + id + "/decisions", Map.of()).valueStream().toList();
    return new RolloutReport(stores, opens, devices, versions, decided);
  }

  /// Everything that is not as it should be, in words; empty if all is well.
  List<String> problems() {
    List<String> faults = new ArrayList<>();
    for (DemoStore demoStore : stores) {
      JsonNode device = device(demoStore);
      check(faults, demoStore, "outcome", "upgraded", device.path("outcome").asString(""));
      check(faults, demoStore, "version", VERSION, versions.getOrDefault(demoStore.name(), ""));
      check(faults, demoStore, "tries", demoStore.isBroken() ? "2" : "1", attempts(device));
      if (demoStore.hasWindow() && startedAt(device).isBefore(windowOpens)) {
        faults.add(
            "%s was started at %s, before its window opened at %s"
                .formatted(demoStore.name(), startedAt(device), windowOpens));
      }
    }
    boolean stopped =
        decisions.stream()
            .anyMatch(decision ->
                decision.path("decision").asString("").equals("pause")
                    && decision.path("by").asString("").equals("uplift"));
    if (!stopped) {
      faults.add("two stores failed, and it did not stop");
    }
    return faults;
  }

  private static void check(
      List<String> faults, DemoStore demoStore, String what, String expected, String found) {
    if (!found.equals(expected)) {
      faults.add("%s: %s %s, expected %s".formatted(demoStore.name(), what, found, expected));
    }
  }

  private JsonNode device(DemoStore demoStore) {
    return Objects.requireNonNullElseGet(
        devices.get(demoStore.name()), RestClient.JSON::createObjectNode);
  }

  private static String attempts(JsonNode device) {
    return Integer.toString(device.path("attempt").asInt(0));
  }

  private static Instant startedAt(JsonNode device) {
    return Instant.parse(device.path("started_at").asString(Instant.EPOCH.toString()));
  }

  void print(Screen screen, RolloutResponse ended) {
    Table table =
        new Table("STORE", "WAVE", "STARTED, THERE", "TRIES", "OUTCOME", "RUNS", "FIRST ERROR");
    stores.stream()
        .map(this::device)
        .sorted((one, other) -> startedAt(one).compareTo(startedAt(other)))
        .forEach(device -> addRow(table, device));
    new PartConclusion(
            table,
            problems(),
            "twelve stores run the release, each started once its window was open")
        .print(screen);
    screen.printLine("");
    screen.printLine(
        "  %-20s%s".formatted(ended.id(), ended.json().at("/links/temporal").asString("")));
  }

  private void addRow(Table table, JsonNode device) {
    String name = device.path("device").asString("");
    String zone =
        stores.stream()
            .filter(demoStore -> demoStore.name().equals(name))
            .map(DemoStore::zone)
            .findFirst()
            .orElse("UTC");
    table.addRow(
        name,
        device.path("wave").asString(""),
        TIME_OF_DAY.format(startedAt(device).atZone(ZoneId.of(zone))),
        attempts(device),
        device.path("outcome").asString(""),
        versions.getOrDefault(name, ""),
        device.at("/error/code").asString(""));
  }
}
