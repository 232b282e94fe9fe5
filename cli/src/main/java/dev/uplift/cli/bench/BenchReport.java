package dev.uplift.cli.bench;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The figures of one run.
///
/// @param devices that were upgraded, one host each
/// @param outcomes how many upgrades ended how
/// @param took from the first start to the last end
/// @param cpu processor time in it, by process
/// @param idle processor time that the same processes take in a second in which nothing is upgraded
/// @param uses what they hold at the end
/// @param events of the history of each upgrade looked at
/// @param reactionsMs from an agent's answer to the next command to that host, while all are
///   upgraded at once
/// @param aloneMs the same while one is upgraded at a time
record BenchReport(
    int devices,
    Map<String, Long> outcomes,
    Duration took,
    Map<String, Duration> cpu,
    Map<String, Duration> idle,
    Map<String, ProcessUse> uses,
    Spread events,
    Spread reactionsMs,
    Spread aloneMs)
    implements Figures {
  private static final double MIB = 1024;

  double perSecond() {
    return devices / (took.toMillis() / 1000.0);
  }

  double cpuMs(String process) {
    return cpu.getOrDefault(process, Duration.ZERO).toMillis() / (double) devices;
  }

  @Override
  public boolean isAsWished() {
    return outcomes.equals(Map.of("upgraded", (long) devices));
  }

  @Override
  public ObjectNode json() {
    ObjectNode json = Rest.JSON.createObjectNode();
    json.put("devices", devices);
    json.put("processors", Runtime.getRuntime().availableProcessors());
    ObjectNode ends = json.putObject("outcomes");
    outcomes.forEach(ends::put);
    json.put("seconds", rounded(took.toMillis() / 1000.0));
    json.put("upgrades_per_second", rounded(perSecond()));
    ObjectNode perUpgrade = json.putObject("cpu_seconds_per_upgrade");
    cpu.keySet().forEach(name -> perUpgrade.put(name, cpuMs(name) / 1000));
    perUpgrade.put("total", cpu.keySet().stream().mapToDouble(this::cpuMs).sum() / 1000);
    ObjectNode idling = json.putObject("cpu_seconds_per_second_idle");
    idle.forEach((name, time) -> idling.put(name, time.toMillis() / 1000.0));
    json.put("database", "H2, within server");
    ObjectNode resident = json.putObject("resident_mib");
    ObjectNode peak = json.putObject("peak_resident_mib");
    uses.forEach((name, use) -> {
      resident.put(name, Math.round(use.residentKib() / MIB));
      peak.put(name, Math.round(use.peakKib() / MIB));
    });
    put(json.putObject("history_events_per_upgrade"), events);
    put(json.putObject("reaction_ms"), reactionsMs);
    put(json.putObject("reaction_one_by_one_ms"), aloneMs);
    return json;
  }

  static void put(ObjectNode json, Spread spread) {
    json.put("samples", spread.samples());
    json.put("mean", rounded(spread.mean()));
    json.put("p50", spread.p50());
    json.put("p99", spread.p99());
    json.put("max", spread.max());
  }

  private static double rounded(double figure) {
    return Math.round(figure * 10) / 10.0;
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    Table processes =
        new Table("PROCESS", "CPU MS PER UPGRADE", "IDLE CPU %", "RESIDENT MIB", "PEAK MIB");
    uses.forEach((name, use) ->
        processes.row(
            name.equals("server") ? "server (with H2)" : name,
            "%.1f".formatted(cpuMs(name)),
            "%.1f".formatted(idle.getOrDefault(name, Duration.ZERO).toMillis() / 10.0),
            Long.toString(Math.round(use.residentKib() / MIB)),
            Long.toString(Math.round(use.peakKib() / MIB))));
    lines.addAll(processes.lines());
    lines.add("");
    Table all = new Table("MEASURED", "");
    all.row("upgrades", devices + " " + outcomes);
    all.row("seconds", "%.1f".formatted(took.toMillis() / 1000.0));
    all.row("upgrades per second", "%.1f".formatted(perSecond()));
    all.row(
        "CPU ms per upgrade",
        "%.1f".formatted(cpu.keySet().stream().mapToDouble(this::cpuMs).sum()));
    all.row("history events", "%.1f (most %d)".formatted(events.mean(), events.max()));
    all.row("reaction ms, all at once", inWords(reactionsMs));
    all.row("reaction ms, one by one", inWords(aloneMs));
    lines.addAll(all.lines());
    return lines;
  }

  private static String inWords(Spread spread) {
    return "p50 %d, p99 %d, most %d (%d samples)"
        .formatted(spread.p50(), spread.p99(), spread.max(), spread.samples());
  }
}
