package dev.uplift.cli.demo;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.rollout.RolloutView;
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
/// @param opens when the window of those opens that have one
/// @param devices of the rollout, by name, as the server says
/// @param versions that the devices' hosts run
/// @param decided its decisions, the newest first
record RolloutReport(
    List<Store> stores,
    Instant opens,
    Map<String, JsonNode> devices,
    Map<String, String> versions,
    List<JsonNode> decided) {
  static final String VERSION = "2.5.0";

  private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern("EEE HH:mm:ss");

  static RolloutReport of(Rest rest, String id, List<Store> stores, Instant opens) {
    Map<String, JsonNode> devices = new TreeMap<>();
    rest.all("rollouts/" + id + "/devices", Map.of())
        .forEach(device -> devices.put(device.path("device").asString(""), device));
    Map<String, String> versions = new HashMap<>();
    rest.all("hosts", Map.of())
        .forEach(host ->
            versions.put(host.path("device").asString(""), host.at("/versions/till").asString("")));
    List<JsonNode> decided =
        rest.all("rollouts/" + id + "/decisions", Map.of()).valueStream().toList();
    return new RolloutReport(stores, opens, devices, versions, decided);
  }

  /// Everything that is not as it should be, in words; empty if all is well.
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (Store store : stores) {
      JsonNode device = device(store);
      check(faults, store, "outcome", "upgraded", device.path("outcome").asString(""));
      check(faults, store, "version", VERSION, versions.getOrDefault(store.name(), ""));
      check(faults, store, "tries", store.isBroken() ? "2" : "1", tries(device));
      if (store.waitsForItsWindow() && startedAt(device).isBefore(opens)) {
        faults.add(
            "%s was started at %s, before its window opened at %s"
                .formatted(store.name(), startedAt(device), opens));
      }
    }
    boolean stopped =
        decided.stream()
            .anyMatch(decision ->
                decision.path("decision").asString("").equals("pause")
                    && decision.path("by").asString("").equals("uplift"));
    if (!stopped) {
      faults.add("two stores failed, and it did not stop");
    }
    return faults;
  }

  private static void check(
      List<String> faults, Store store, String what, String expected, String found) {
    if (!found.equals(expected)) {
      faults.add("%s: %s %s, expected %s".formatted(store.name(), what, found, expected));
    }
  }

  private JsonNode device(Store store) {
    return Objects.requireNonNullElseGet(devices.get(store.name()), Rest.JSON::createObjectNode);
  }

  private static String tries(JsonNode device) {
    return Integer.toString(device.path("attempt").asInt(0));
  }

  private static Instant startedAt(JsonNode device) {
    return Instant.parse(device.path("started_at").asString(Instant.EPOCH.toString()));
  }

  void show(Screen screen, RolloutView ended) {
    Table table =
        new Table("STORE", "WAVE", "STARTED, THERE", "TRIES", "OUTCOME", "RUNS", "FIRST ERROR");
    stores.stream()
        .map(this::device)
        .sorted((one, other) -> startedAt(one).compareTo(startedAt(other)))
        .forEach(device -> row(table, device));
    new Conclusion(
            table, faults(), "twelve stores run the release, each started once its window was open")
        .show(screen);
    screen.say("");
    screen.say("  %-20s%s".formatted(ended.id(), ended.whole().at("/links/temporal").asString("")));
  }

  private void row(Table table, JsonNode device) {
    String name = device.path("device").asString("");
    String zone =
        stores.stream()
            .filter(store -> store.name().equals(name))
            .map(Store::zone)
            .findFirst()
            .orElse("UTC");
    table.row(
        name,
        device.path("wave").asString(""),
        SECOND.format(startedAt(device).atZone(ZoneId.of(zone))),
        tries(device),
        device.path("outcome").asString(""),
        versions.getOrDefault(name, ""),
        device.at("/error/code").asString(""));
  }
}
