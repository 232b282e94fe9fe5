package dev.uplift.temporaldev.chaos;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What happened in spite of the faults.
///
/// @param rollouts that ran one after the other, over all devices
/// @param faults how often each part was killed, frozen or cut off
/// @param reads answered and sent
/// @param writes answered and sent; each answered one has to be there at the end
/// @param standstills the longest times without an answer to a read, with the fault that fell into it
/// @param problems a sentence for each thing that must not have happened
public record ChaosReport(
    ChaosOptions options,
    int rollouts,
    SortedMap<String, Integer> faults,
    Requests reads,
    Requests writes,
    List<Standstill> standstills,
    Duration duration,
    List<String> problems) {
  private static final int SHOWN = 20;

  /// Of requests one after the other.
  public record Requests(int answered, int sent) {}

  /// A time without an answer.
  ///
  /// @param fault that fell into it; empty if there was none
  public record Standstill(Duration duration, String fault) {}

  static ChaosReport of(
      ChaosOptions options,
      int rollouts,
      List<FaultInjector.Fault> faults,
      AvailabilityProbe reads,
      AvailabilityProbe writes,
      Duration duration,
      List<String> problems) {
    SortedMap<String, Integer> counts = new TreeMap<>();
    faults.forEach(fault -> counts.merge(fault.part().name() + " " + fault.kind(), 1, Integer::sum));
    List<Standstill> longest =
        reads.gaps().stream()
            .sorted(Comparator.comparing(AvailabilityProbe.Gap::duration).reversed())
            .limit(5)
            .map(gap -> new Standstill(gap.duration(), during(gap, faults)))
            .toList();
    return new ChaosReport(
        options,
        rollouts,
        counts,
        new Requests(reads.succeeded().size(), reads.sent()),
        new Requests(writes.succeeded().size(), writes.sent()),
        longest,
        duration,
        problems);
  }

  private static String during(AvailabilityProbe.Gap gap, List<FaultInjector.Fault> faults) {
    return faults.stream()
        .filter(fault -> fault.overlaps(gap.from(), gap.until()))
        .map(FaultInjector.Fault::toString)
        .collect(Collectors.joining(", "));
  }

  public List<String> lines() {
    Table table = new Table("FAULT", "TIMES");
    faults.forEach((fault, times) -> table.addRow(fault, Integer.toString(times)));
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add("%d rollouts of %d devices in %d s".formatted(rollouts, options.devices(), duration.toSeconds()));
    lines.add("reads   %d of %d were answered".formatted(reads.answered(), reads.sent()));
    lines.add("writes  %d of %d were answered".formatted(writes.answered(), writes.sent()));
    for (Standstill standstill : standstills) {
      lines.add(
          "no read was answered for %.1f s%s"
              .formatted(
                  standstill.duration().toMillis() / 1e3,
                  standstill.fault().isEmpty() ? "" : ": " + standstill.fault()));
    }
    lines.add("");
    problems.stream().limit(SHOWN).forEach(lines::add);
    if (problems.size() > SHOWN) {
      lines.add("and %d more".formatted(problems.size() - SHOWN));
    }
    lines.add(
        problems.isEmpty()
            ? "seed %d: every device was upgraded once by each rollout, and nothing that was answered is lost"
                .formatted(options.seed())
            : "seed %d: %d problems".formatted(options.seed(), problems.size()));
    return lines;
  }

  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    json.put("seed", options.seed()).put("devices", options.devices()).put("rollouts", rollouts);
    json.put("seconds", duration.toSeconds());
    faults.forEach(json.putObject("faults")::put);
    for (Map.Entry<String, Requests> each : Map.of("reads", reads, "writes", writes).entrySet()) {
      json.putObject(each.getKey()).put("answered", each.getValue().answered()).put("sent", each.getValue().sent());
    }
    ArrayNode longest = json.putArray("standstills");
    standstills.forEach(
        standstill -> longest.addObject().put("ms", standstill.duration().toMillis()).put("fault", standstill.fault()));
    ArrayNode sentences = json.putArray("problems");
    problems.forEach(sentences::add);
    return json;
  }
}
