package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import tools.jackson.databind.node.ObjectNode;

/// The figures of a run.
///
/// @param measured upgrades, all in parallel
/// @param idleCpuByProcess CPU time per second without upgrades
/// @param historyEvents lengths of the histories of some upgrades
/// @param sequentialLatencyMs from the outcome of a command to the next command to that host, with one upgrade at a
///   time
/// @param operations of all upgrades, how often each was done
/// @param floor what Temporal costs without Uplift
record UpgradeFigures(
    MeasuredUpgrades measured,
    ProcessCosts costs,
    Map<String, Duration> idleCpuByProcess,
    Percentiles historyEvents,
    Percentiles sequentialLatencyMs,
    SequencedMap<String, Double> operations,
    FloorFigures floor)
    implements BenchFigures {
  @Override
  public boolean isSuccessful() {
    return measured.outcomes().equals(Map.of("upgraded", (long) costs.upgrades()));
  }

  private double seconds() {
    return measured.duration().toMillis() / 1000.0;
  }

  private double perSecond() {
    return costs.perSecond(measured.duration());
  }

  private double perUpgrade(double count) {
    return ProcessCosts.rounded(count / costs.upgrades());
  }

  /// Returns how many times the CPU time of bare Temporal all servers need together.
  private double cpuToFloor() {
    return costs.serversCpuMs() / floor.cpuMs();
  }

  private Percentiles parallelLatencyMs() {
    return Percentiles.of(measured.commandLatenciesMs());
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    json.put("devices", costs.upgrades());
    json.put("processors", Runtime.getRuntime().availableProcessors());
    ObjectNode outcomeCounts = json.putObject("outcomes");
    measured.outcomes().forEach(outcomeCounts::put);
    json.put("seconds", ProcessCosts.rounded(seconds()));
    json.put("upgrades_per_second", ProcessCosts.rounded(perSecond()));
    ObjectNode perUpgrade = json.putObject("cpu_seconds_per_upgrade");
    costs.cpuByProcess().keySet().forEach(name -> perUpgrade.put(name, costs.cpuMs(name) / 1000));
    perUpgrade.put("total", costs.cpuMs() / 1000);
    ObjectNode idling = json.putObject("cpu_seconds_per_second_idle");
    idleCpuByProcess.forEach((name, time) -> idling.put(name, time.toMillis() / 1000.0));
    json.put("database", costs.hasExternalDatabase() ? "PostgreSQL" : "H2, within server");
    ObjectNode counted = json.putObject("operations_per_upgrade");
    operations.forEach(
        (name, count) -> counted.put(name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]+", "_"), perUpgrade(count)));
    json.set("floor", floor.toJson());
    json.put("cpu_to_floor", Math.round(cpuToFloor() * 100) / 100.0);
    costs.putMemory(json, "resident_mib", ProcessUsage::residentKib);
    costs.putMemory(json, "peak_resident_mib", ProcessUsage::peakKib);
    historyEvents.putInto(json.putObject("history_events_per_upgrade"));
    parallelLatencyMs().putInto(json.putObject("command_latency_parallel_ms"));
    sequentialLatencyMs.putInto(json.putObject("command_latency_sequential_ms"));
    return json;
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>(costs.lines(idleCpuByProcess));
    lines.add("");
    Table all = new Table("MEASURED", "");
    all.addRow("upgrades", costs.upgrades() + " " + measured.outcomes());
    all.addRow("seconds", "%.1f".formatted(seconds()));
    all.addRow("upgrades per second", "%.1f".formatted(perSecond()));
    all.addRow("CPU ms per upgrade", "%.1f".formatted(costs.cpuMs()));
    all.addRow("of the servers", "%.1f".formatted(costs.serversCpuMs()));
    all.addRow("of bare Temporal", "%.1f".formatted(floor.cpuMs()));
    all.addRow("servers to bare Temporal", "%.2f".formatted(cpuToFloor()));
    operations.forEach((name, count) -> all.addRow(name, "%.1f".formatted(perUpgrade(count))));
    all.addRow("history events", "%.1f (max %d)".formatted(historyEvents.mean(), historyEvents.max()));
    all.addRow("command latency ms, parallel", parallelLatencyMs().toString());
    all.addRow("command latency ms, sequential", sequentialLatencyMs.toString());
    lines.addAll(all.lines());
    return lines;
  }
}
