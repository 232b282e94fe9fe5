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

/// The result of the demo's rollout, compared with the expected one.
///
/// @param windowOpens opening of the maintenance window
/// @param devices of the rollout by name, as reported by the server
/// @param versions on the hosts by device
/// @param decisions of the rollout, newest first
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
    List<JsonNode> decided = restClient.getAll("rollouts/" + id + "/decisions", Map.of()).valueStream().toList();
    return new RolloutReport(stores, opens, devices, versions(restClient), decided);
  }

  /// Returns the versions in the list of hosts, by device.
  static Map<String, String> versions(RestClient restClient) {
    Map<String, String> versions = new HashMap<>();
    restClient
        .getAll("hosts", Map.of())
        .forEach(host -> versions.put(host.path("device").asString(""), host.at("/versions/till").asString("")));
    return versions;
  }

  /// Returns all differences from the expected results as sentences.
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (DemoStore demoStore : stores) {
      JsonNode device = device(demoStore);
      check(problems, demoStore, "outcome", "upgraded", device.path("outcome").asString(""));
      check(problems, demoStore, "version", VERSION, versions.getOrDefault(demoStore.name(), ""));
      check(problems, demoStore, "attempts", demoStore.isBroken() ? "2" : "1", attempts(device));
      if (demoStore.hasWindow() && startedAt(device).isBefore(windowOpens)) {
        problems.add(
            "%s was started at %s, before its window opened at %s"
                .formatted(demoStore.name(), startedAt(device), windowOpens));
      }
    }
    boolean stopped =
        decisions.stream()
            .anyMatch(decision ->
                decision.path("decision").asString("").equals("pause")
                    && decision.path("actor").asString("").equals("uplift"));
    if (!stopped) {
      problems.add("two stores failed, and the rollout did not pause");
    }
    return problems;
  }

  private static void check(
      List<String> problems, DemoStore demoStore, String property, String expected, String found) {
    if (!found.equals(expected)) {
      problems.add("%s: %s %s, expected %s".formatted(demoStore.name(), property, found, expected));
    }
  }

  private JsonNode device(DemoStore demoStore) {
    return Objects.requireNonNullElseGet(devices.get(demoStore.name()), RestClient.JSON::createObjectNode);
  }

  private static String attempts(JsonNode device) {
    return Integer.toString(device.path("attempt").asInt(0));
  }

  private static Instant startedAt(JsonNode device) {
    return Instant.parse(device.path("started_at").asString(Instant.EPOCH.toString()));
  }

  void print(Screen screen, RolloutResponse ended) {
    Table table = new Table("STORE", "WAVE", "STARTED (LOCAL)", "ATTEMPTS", "OUTCOME", "VERSION", "FIRST ERROR");
    stores.stream()
        .map(this::device)
        .sorted((one, other) -> startedAt(one).compareTo(startedAt(other)))
        .forEach(device -> addRow(table, device));
    new PartConclusion(table, problems(), "twelve stores run the release, each started in its window").print(screen);
    screen.printLine("");
    screen.printLine("  %-20s%s".formatted(ended.id(), ended.json().at("/temporal_ui").asString("")));
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
