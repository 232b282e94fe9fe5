package dev.uplift.temporaldev.night;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The morning's table, expected and found.
///
/// @param expected outcome by device
/// @param found outcome, or state of a device without one, as REST shows it
/// @param violations of what has to hold beside the table, a sentence each
/// @param duration from the creation of the rollout until nothing was left to do
public record NightReport(
    long seed,
    SortedMap<String, String> expected,
    SortedMap<String, String> found,
    List<String> violations,
    Duration duration) {
  private static final int SHOWN = 20;
  private static final String MISSING = "missing";

  /// Returns a sentence for each device that is not as expected, and all violations.
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    SortedSet<String> devices = new TreeSet<>(expected.keySet());
    devices.addAll(found.keySet());
    for (String device : devices) {
      String wanted = expected.getOrDefault(device, MISSING);
      String seen = found.getOrDefault(device, MISSING);
      if (!wanted.equals(seen)) {
        problems.add("%s: expected %s, found %s".formatted(device, wanted, seen));
      }
    }
    problems.addAll(violations);
    return problems;
  }

  public List<String> lines() {
    Table table = new Table("OUTCOME", "EXPECTED", "FOUND");
    Map<String, Integer> wanted = countByOutcome(expected);
    Map<String, Integer> seen = countByOutcome(found);
    SortedSet<String> outcomes = new TreeSet<>(wanted.keySet());
    outcomes.addAll(seen.keySet());
    for (String outcome : outcomes) {
      table.addRow(outcome, count(wanted, outcome), count(seen, outcome));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    List<String> problems = problems();
    problems.stream().limit(SHOWN).forEach(lines::add);
    if (problems.size() > SHOWN) {
      lines.add("and %d more".formatted(problems.size() - SHOWN));
    }
    lines.add(
        problems.isEmpty()
            ? "seed %d: all %d devices are as expected, after %d s"
                .formatted(seed, expected.size(), duration.toSeconds())
            : "seed %d: %d problems".formatted(seed, problems.size()));
    return lines;
  }

  private static Map<String, Integer> countByOutcome(SortedMap<String, String> outcomes) {
    Map<String, Integer> counts = new TreeMap<>();
    outcomes.values().forEach(outcome -> counts.merge(outcome, 1, Integer::sum));
    return counts;
  }

  private static String count(Map<String, Integer> counts, String outcome) {
    return Integer.toString(counts.getOrDefault(outcome, 0));
  }

  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    json.put("seed", seed);
    json.put("devices", expected.size());
    json.put("seconds", duration.toSeconds());
    countByOutcome(expected).forEach(json.putObject("expected")::put);
    countByOutcome(found).forEach(json.putObject("found")::put);
    ArrayNode problems = json.putArray("problems");
    problems().forEach(problems::add);
    return json;
  }
}
