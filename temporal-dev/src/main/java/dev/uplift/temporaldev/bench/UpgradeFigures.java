package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The figures of a run.
///
/// @param devices upgraded, with one host each
/// @param outcomes number of upgrades by outcome
/// @param duration from the first start to the last end
/// @param cpuByProcess CPU time of the run by process
/// @param idleCpuByProcess CPU time per second without upgrades
/// @param usageByProcess usage at the end
/// @param historyEvents lengths of the histories of some upgrades
/// @param parallelLatencyMs from the outcome of a command to the next command to that host, with
///   all upgrades in parallel
/// @param sequentialLatencyMs as above, with one upgrade at a time
record UpgradeFigures(
    int devices,
    Map<String, Long> outcomes,
    Duration duration,
    Map<String, Duration> cpuByProcess,
    Map<String, Duration> idleCpuByProcess,
    Map<String, ProcessUsage> usageByProcess,
    Percentiles historyEvents,
    Percentiles parallelLatencyMs,
    Percentiles sequentialLatencyMs)
    implements BenchFigures {
  private static final double MIB = 1024;

  double perSecond() {
    return devices / (duration.toMillis() / 1000.0);
  }

  double cpuMs(String process) {
    return cpuByProcess.getOrDefault(process, Duration.ZERO).toMillis() / (double) devices;
  }

  @Override
  public boolean isSuccessful() {
    return outcomes.equals(Map.of("upgraded", (long) devices));
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    json.put("devices", devices);
    json.put("processors", Runtime.getRuntime().availableProcessors());
    ObjectNode outcomeCounts = json.putObject("outcomes");
    outcomes.forEach(outcomeCounts::put);
    json.put("seconds", rounded(duration.toMillis() / 1000.0));
    json.put("upgrades_per_second", rounded(perSecond()));
    ObjectNode perUpgrade = json.putObject("cpu_seconds_per_upgrade");
    cpuByProcess.keySet().forEach(name -> perUpgrade.put(name, cpuMs(name) / 1000));
    perUpgrade.put("total", cpuByProcess.keySet().stream().mapToDouble(this::cpuMs).sum() / 1000);
    ObjectNode idling = json.putObject("cpu_seconds_per_second_idle");
    idleCpuByProcess.forEach((name, time) -> idling.put(name, time.toMillis() / 1000.0));
    json.put("database", "H2, within server");
    ObjectNode resident = json.putObject("resident_mib");
    ObjectNode peak = json.putObject("peak_resident_mib");
    usageByProcess.forEach((name, use) -> {
      resident.put(name, Math.round(use.residentKib() / MIB));
      peak.put(name, Math.round(use.peakKib() / MIB));
    });
    putPercentiles(json.putObject("history_events_per_upgrade"), historyEvents);
    putPercentiles(json.putObject("command_latency_parallel_ms"), parallelLatencyMs);
    putPercentiles(json.putObject("command_latency_sequential_ms"), sequentialLatencyMs);
    return json;
  }

  static void putPercentiles(ObjectNode json, Percentiles percentiles) {
    json.put("samples", percentiles.samples());
    json.put("mean", rounded(percentiles.mean()));
    json.put("p50", percentiles.p50());
    json.put("p99", percentiles.p99());
    json.put("max", percentiles.max());
  }

  private static double rounded(double figure) {
    return Math.round(figure * 10) / 10.0;
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    Table processes =
        new Table("PROCESS", "CPU MS PER UPGRADE", "IDLE CPU %", "RESIDENT MIB", "PEAK MIB");
    usageByProcess.forEach((name, use) ->
        processes.addRow(
            name.equals("server") ? "server (with H2)" : name,
            "%.1f".formatted(cpuMs(name)),
            "%.1f".formatted(idleCpuByProcess.getOrDefault(name, Duration.ZERO).toMillis() / 10.0),
            Long.toString(Math.round(use.residentKib() / MIB)),
            Long.toString(Math.round(use.peakKib() / MIB))));
    lines.addAll(processes.lines());
    lines.add("");
    Table all = new Table("MEASURED", "");
    all.addRow("upgrades", devices + " " + outcomes);
    all.addRow("seconds", "%.1f".formatted(duration.toMillis() / 1000.0));
    all.addRow("upgrades per second", "%.1f".formatted(perSecond()));
    all.addRow(
        "CPU ms per upgrade",
        "%.1f".formatted(cpuByProcess.keySet().stream().mapToDouble(this::cpuMs).sum()));
    all.addRow(
        "history events", "%.1f (max %d)".formatted(historyEvents.mean(), historyEvents.max()));
    all.addRow("command latency ms, parallel", describe(parallelLatencyMs));
    all.addRow("command latency ms, sequential", describe(sequentialLatencyMs));
    lines.addAll(all.lines());
    return lines;
  }

  private static String describe(Percentiles percentiles) {
    return "p50 %d, p99 %d, max %d (%d samples)"
        .formatted(percentiles.p50(), percentiles.p99(), percentiles.max(), percentiles.samples());
  }
}
