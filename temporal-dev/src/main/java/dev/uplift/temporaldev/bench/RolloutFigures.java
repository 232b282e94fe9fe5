package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import dev.uplift.temporaldev.bench.MeasuredRollout.AutomaticPause;
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
/// @param cpuByProcess processor time in it, by process
/// @param usageByProcess what they hold at the end
/// @param heapKibByFinished of the server after a collection, by how many devices were done
/// @param rolloutEvents of the history of the rollout's workflow
/// @param upgradeEvents of the histories of some of its upgrades
record RolloutFigures(
    RolloutBench.Parameters parameters,
    MeasuredRollout run,
    Map<String, Duration> cpuByProcess,
    Map<String, ProcessUsage> usageByProcess,
    SequencedMap<Integer, Long> heapKibByFinished,
    Percentiles rolloutEvents,
    Percentiles upgradeEvents)
    implements BenchFigures {
  private static final double MIB = 1024;
  private static final int HUNDRED = 100;

  @Override
  public boolean isSuccessful() {
    long upgraded = run.outcomes().getOrDefault("upgraded", 0L);
    long failed = run.outcomes().getOrDefault("rolled-back", 0L);
    return upgraded + failed == parameters.devices()
        && (parameters.failingPercent() > 0 || failed == 0)
        && pauses().stream().allMatch(automaticPause -> automaticPause.startedWhilePaused() == 0);
  }

  private List<AutomaticPause> pauses() {
    return run.automaticPauses(parameters.maxFailures());
  }

  private double cpuMs(String process) {
    return cpuByProcess.getOrDefault(process, Duration.ZERO).toMillis()
        / (double) parameters.devices();
  }

  private double cpuMs() {
    return cpuByProcess.keySet().stream().mapToDouble(this::cpuMs).sum();
  }

  private double perSecond() {
    return parameters.devices() / (run.duration().toMillis() / 1000.0);
  }

  private double eventsPerHundred() {
    return rolloutEvents.max() * (double) HUNDRED / parameters.devices();
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    json.put("devices", parameters.devices()).put("waves", parameters.waves());
    json.put("failing_percent", parameters.failingPercent())
        .put("in_flight_at_most", parameters.maxParallel());
    json.put("processors", Runtime.getRuntime().availableProcessors());
    ObjectNode ends = json.putObject("outcomes");
    run.outcomes().forEach(ends::put);
    json.put("seconds", rounded(run.duration().toMillis() / 1000.0));
    json.put("upgrades_per_second", rounded(perSecond()));
    ObjectNode perUpgrade = json.putObject("cpu_ms_per_upgrade");
    cpuByProcess.keySet().forEach(name -> perUpgrade.put(name, rounded(cpuMs(name))));
    perUpgrade.put("total", rounded(cpuMs()));
    json.put("in_flight", run.maxInFlight());
    UpgradeFigures.putPercentiles(json.putObject("next_wave_ms"), Percentiles.of(run.waveGapsMs()));
    json.put("rollout_events", rolloutEvents.max());
    json.put("rollout_events_per_100_devices", rounded(eventsPerHundred()));
    UpgradeFigures.putPercentiles(json.putObject("upgrade_events"), upgradeEvents);
    ObjectNode heap = json.putObject("server_heap_mib_when_done");
    heapKibByFinished.forEach((done, kib) -> heap.put(Integer.toString(done), rounded(kib / MIB)));
    ObjectNode peak = json.putObject("peak_resident_mib");
    usageByProcess.forEach((name, use) -> peak.put(name, Math.round(use.peakKib() / MIB)));
    ArrayNode stops = json.putArray("stops");
    for (AutomaticPause automaticPause : pauses()) {
      stops
          .addObject()
          .put("wave", automaticPause.decision().wave())
          .put("sentence", automaticPause.decision().sentence())
          .put("inputs", automaticPause.decision().inputs())
          .put("ms_after_one_failure_too_many", automaticPause.latencyMs())
          .put("started_while_stopped", automaticPause.startedWhilePaused());
    }
    return json;
  }

  private static double rounded(double figure) {
    return Math.round(figure * 10) / 10.0;
  }

  @Override
  public List<String> lines() {
    Table processes = new Table("PROCESS", "CPU MS PER UPGRADE", "RESIDENT MIB", "PEAK MIB");
    usageByProcess.forEach((name, use) ->
        processes.addRow(
            name.equals("server") ? "server (with H2)" : name,
            "%.1f".formatted(cpuMs(name)),
            Long.toString(Math.round(use.residentKib() / MIB)),
            Long.toString(Math.round(use.peakKib() / MIB))));
    List<String> lines = new ArrayList<>(processes.lines());
    lines.add("");
    lines.addAll(measured().lines());
    if (!pauses().isEmpty()) {
      lines.add("");
      Table stops = new Table("STOPPED IN WAVE", "MS AFTER", "STARTED MEANWHILE", "WHY");
      pauses()
          .forEach(automaticPause ->
              stops.addRow(
                  Integer.toString(automaticPause.decision().wave()),
                  Long.toString(automaticPause.latencyMs()),
                  Integer.toString(automaticPause.startedWhilePaused()),
                  automaticPause.decision().sentence()));
      lines.addAll(stops.lines());
    }
    return lines;
  }

  private Table measured() {
    Table all = new Table("MEASURED", "");
    all.addRow(
        "devices",
        "%d in %d waves %s".formatted(parameters.devices(), parameters.waves(), run.outcomes()));
    all.addRow("seconds", "%.1f".formatted(run.duration().toMillis() / 1000.0));
    all.addRow("upgrades per second", "%.1f".formatted(perSecond()));
    all.addRow("CPU ms per upgrade", "%.1f".formatted(cpuMs()));
    all.addRow(
        "most in flight", "%d, of %d".formatted(run.maxInFlight(), parameters.maxParallel()));
    Percentiles gaps = Percentiles.of(run.waveGapsMs());
    all.addRow(
        "next wave after, ms",
        "p50 %d, p99 %d (%d samples)".formatted(gaps.p50(), gaps.p99(), gaps.samples()));
    all.addRow(
        "rollout's events",
        "%d; per 100 devices %.1f".formatted(rolloutEvents.max(), eventsPerHundred()));
    all.addRow(
        "upgrades' events", "%.1f (most %d)".formatted(upgradeEvents.mean(), upgradeEvents.max()));
    all.addRow(
        "server heap MiB",
        heapKibByFinished.entrySet().stream()
            .map(look -> "%.1f at %d".formatted(look.getValue() / MIB, look.getKey()))
            .collect(Collectors.joining(", ")));
    return all;
  }
}
