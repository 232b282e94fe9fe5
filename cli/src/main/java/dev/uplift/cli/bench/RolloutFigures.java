package dev.uplift.cli.bench;

import dev.uplift.cli.bench.RolloutRun.Stop;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The figures of one rollout.
///
/// @param cpu processor time in it, by process
/// @param uses what they hold at the end
/// @param heapKib of the server after a collection, by how many devices were done
/// @param events of the history of the rollout's workflow
/// @param upgradeEvents of the histories of some of its upgrades
record RolloutFigures(
    RolloutBench.Wish wish,
    RolloutRun run,
    Map<String, Duration> cpu,
    Map<String, ProcessUse> uses,
    SequencedMap<Integer, Long> heapKib,
    Spread events,
    Spread upgradeEvents)
    implements Figures {
  private static final double MIB = 1024;
  private static final int HUNDRED = 100;

  @Override
  public boolean isAsWished() {
    long upgraded = run.outcomes().getOrDefault("upgraded", 0L);
    long failed = run.outcomes().getOrDefault("rolled-back", 0L);
    return upgraded + failed == wish.devices()
        && (wish.failing() > 0 || failed == 0)
        && stops().stream().allMatch(stop -> stop.startedMeanwhile() == 0);
  }

  private List<Stop> stops() {
    return run.stops(wish.stopAt());
  }

  private double cpuMs(String process) {
    return cpu.getOrDefault(process, Duration.ZERO).toMillis() / (double) wish.devices();
  }

  private double cpuMs() {
    return cpu.keySet().stream().mapToDouble(this::cpuMs).sum();
  }

  private double perSecond() {
    return wish.devices() / (run.took().toMillis() / 1000.0);
  }

  private double eventsPerHundred() {
    return events.max() * (double) HUNDRED / wish.devices();
  }

  @Override
  public ObjectNode json() {
    ObjectNode json = Rest.JSON.createObjectNode();
    json.put("devices", wish.devices()).put("waves", wish.waves());
    json.put("failing_percent", wish.failing()).put("in_flight_at_most", wish.inFlight());
    json.put("processors", Runtime.getRuntime().availableProcessors());
    ObjectNode ends = json.putObject("outcomes");
    run.outcomes().forEach(ends::put);
    json.put("seconds", rounded(run.took().toMillis() / 1000.0));
    json.put("upgrades_per_second", rounded(perSecond()));
    ObjectNode perUpgrade = json.putObject("cpu_ms_per_upgrade");
    cpu.keySet().forEach(name -> perUpgrade.put(name, rounded(cpuMs(name))));
    perUpgrade.put("total", rounded(cpuMs()));
    json.put("in_flight", run.mostInFlight());
    BenchReport.put(json.putObject("next_wave_ms"), Spread.of(run.gapsMs()));
    json.put("rollout_events", events.max());
    json.put("rollout_events_per_100_devices", rounded(eventsPerHundred()));
    BenchReport.put(json.putObject("upgrade_events"), upgradeEvents);
    ObjectNode heap = json.putObject("server_heap_mib_when_done");
    heapKib.forEach((done, kib) -> heap.put(Integer.toString(done), rounded(kib / MIB)));
    ObjectNode peak = json.putObject("peak_resident_mib");
    uses.forEach((name, use) -> peak.put(name, Math.round(use.peakKib() / MIB)));
    ArrayNode stops = json.putArray("stops");
    for (Stop stop : stops()) {
      stops
          .addObject()
          .put("wave", stop.decided().wave())
          .put("sentence", stop.decided().sentence())
          .put("inputs", stop.decided().inputs())
          .put("ms_after_one_failure_too_many", stop.afterMs())
          .put("started_while_stopped", stop.startedMeanwhile());
    }
    return json;
  }

  private static double rounded(double figure) {
    return Math.round(figure * 10) / 10.0;
  }

  @Override
  public List<String> lines() {
    Table processes = new Table("PROCESS", "CPU MS PER UPGRADE", "RESIDENT MIB", "PEAK MIB");
    uses.forEach((name, use) ->
        processes.row(
            name.equals("server") ? "server (with H2)" : name,
            "%.1f".formatted(cpuMs(name)),
            Long.toString(Math.round(use.residentKib() / MIB)),
            Long.toString(Math.round(use.peakKib() / MIB))));
    List<String> lines = new ArrayList<>(processes.lines());
    lines.add("");
    lines.addAll(measured().lines());
    if (!stops().isEmpty()) {
      lines.add("");
      Table stops = new Table("STOPPED IN WAVE", "MS AFTER", "STARTED MEANWHILE", "WHY");
      stops()
          .forEach(stop ->
              stops.row(
                  Integer.toString(stop.decided().wave()),
                  Long.toString(stop.afterMs()),
                  Integer.toString(stop.startedMeanwhile()),
                  stop.decided().sentence()));
      lines.addAll(stops.lines());
    }
    return lines;
  }

  private Table measured() {
    Table all = new Table("MEASURED", "");
    all.row("devices", "%d in %d waves %s".formatted(wish.devices(), wish.waves(), run.outcomes()));
    all.row("seconds", "%.1f".formatted(run.took().toMillis() / 1000.0));
    all.row("upgrades per second", "%.1f".formatted(perSecond()));
    all.row("CPU ms per upgrade", "%.1f".formatted(cpuMs()));
    all.row("most in flight", "%d, of %d".formatted(run.mostInFlight(), wish.inFlight()));
    Spread gaps = Spread.of(run.gapsMs());
    all.row(
        "next wave after, ms",
        "p50 %d, p99 %d (%d samples)".formatted(gaps.p50(), gaps.p99(), gaps.samples()));
    all.row(
        "rollout's events", "%d; per 100 devices %.1f".formatted(events.max(), eventsPerHundred()));
    all.row(
        "upgrades' events", "%.1f (most %d)".formatted(upgradeEvents.mean(), upgradeEvents.max()));
    all.row(
        "server heap MiB",
        heapKib.entrySet().stream()
            .map(look -> "%.1f at %d".formatted(look.getValue() / MIB, look.getKey()))
            .collect(Collectors.joining(", ")));
    return all;
  }
}
