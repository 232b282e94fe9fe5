package dev.uplift.temporaldev.night;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.cli.upgrade.UpgradeResponse.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// Reads over REST what a night has left: the table of devices, their upgrades and commands, the rollout's decisions.
///
/// @param openings when the window of each region opened
record NightInspector(RestClient rest, String rollout, Map<NightRegion, Instant> openings) {
  private static final Map<String, String> PAGES = Map.of("limit", "1000");

  /// How often a host is asked is not limited: it changes nothing.
  private static final String INSPECT = "inspect";

  private static final String UPGRADE = "upgrade";

  /// Returns the outcome of each device of the rollout, or its state if it has none. One that waits because it is not
  /// heard is `offline`, as it will be when the rollout ends.
  SortedMap<String, String> outcomes() {
    SortedMap<String, String> outcomes = new TreeMap<>();
    for (JsonNode target : rest.getAll("rollouts/" + rollout + "/devices", PAGES)) {
      String state = target.has("offline_since") ? HostBehaviour.STAYS_OFF.outcome() : text(target, "state");
      outcomes.put(text(target, "device"), target.path("outcome").asString(state));
    }
    return outcomes;
  }

  /// Returns a sentence for each thing that must not have happened: an upgrade or a command that ran twice, a host that
  /// was changed outside its window, a pause.
  List<String> violations(NightFleet fleet) {
    List<String> violations = new ArrayList<>(pauses());
    Map<String, List<String>> upgrades =
        rest.getAll("upgrades", PAGES)
            .valueStream()
            .collect(
                Collectors.groupingBy(
                    upgrade -> text(upgrade, "device"),
                    Collectors.mapping(upgrade -> text(upgrade, "id"), Collectors.toList())));
    for (NightDevice device : fleet.devices()) {
      List<String> ids = upgrades.getOrDefault(device.name(), List.of());
      int expected = device.behaviour().isStarted() ? 1 : 0;
      if (ids.size() != expected) {
        violations.add("%s: expected %d upgrades, found %s".formatted(device.name(), expected, ids));
      }
      ids.forEach(id -> violations.addAll(violations(device, upgrade(id))));
    }
    return violations;
  }

  private List<String> pauses() {
    return rest.getAll("rollouts/" + rollout + "/decisions", PAGES)
        .valueStream()
        .filter(decision -> text(decision, "decision").equals("pause"))
        .map(decision -> "the rollout paused: " + text(decision, "message"))
        .toList();
  }

  private UpgradeResponse upgrade(String id) {
    return UpgradeResponse.of(rest.get("upgrades/" + RestClient.pathSegment(id)));
  }

  private List<String> violations(NightDevice device, UpgradeResponse upgrade) {
    List<String> violations = new ArrayList<>();
    Map<String, Long> commands =
        upgrade.steps().stream()
            .map(Step::step)
            .filter(step -> !step.equals(INSPECT))
            .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    commands.forEach((step, count) -> {
      if (count > 1) {
        violations.add("%s: expected one command to %s, found %d".formatted(device.name(), step, count));
      }
    });
    Instant opening = openings.getOrDefault(device.region(), Instant.MIN);
    upgrade.steps().stream()
        .filter(step -> step.step().equals(UPGRADE))
        .map(Step::sentAt)
        .flatMap(Optional::stream)
        .filter(opening::isAfter)
        .forEach(sent ->
            violations.add("%s: changed at %s, its window opened at %s".formatted(device.name(), sent, opening)));
    return violations;
  }

  private static String text(JsonNode json, String field) {
    return json.path(field).asString("");
  }
}
