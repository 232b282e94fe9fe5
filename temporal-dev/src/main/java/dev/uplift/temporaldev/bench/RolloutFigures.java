package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Table;
import dev.uplift.temporaldev.bench.MeasuredRollout.AutomaticPause;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The figures of a rollout.
///
/// @param heapKibByFinished heap of the server after a collection, by number of finished devices
/// @param rolloutEvents length of the history of the rollout
/// @param upgradeEvents lengths of the histories of some upgrades
record RolloutFigures(
    RolloutBench.Parameters parameters,
    MeasuredRollout run,
    ProcessCosts costs,
    SequencedMap<Integer, Long> heapKibByFinished,
    Percentiles rolloutEvents,
    Percentiles upgradeEvents)
    implements BenchFigures {
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

  private double eventsPerHundred() {
    return rolloutEvents.max() * (double) HUNDRED / parameters.devices();
  }

  @Override
  public ObjectNode toJson() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    json.put("devices", parameters.devices()).put("waves", parameters.waves());
    json.put("failing_percent", parameters.failingPercent()).put("max_parallel", parameters.maxParallel());
    json.put("processors", Runtime.getRuntime().availableProcessors());
    ObjectNode outcomes = json.putObject("outcomes");
    run.outcomes().forEach(outcomes::put);
    json.put("seconds", ProcessCosts.rounded(run.duration().toMillis() / 1000.0));
    json.put("upgrades_per_second", ProcessCosts.rounded(costs.perSecond(run.duration())));
    ObjectNode perUpgrade = json.putObject("cpu_ms_per_upgrade");
    costs.cpuByProcess().keySet().forEach(name -> perUpgrade.put(name, ProcessCosts.rounded(costs.cpuMs(name))));
    perUpgrade.put("total", ProcessCosts.rounded(costs.cpuMs()));
    json.put("max_in_progress", run.maxInProgress());
    Percentiles.of(run.waveGapsMs()).putInto(json.putObject("wave_gap_ms"));
    json.put("rollout_events", rolloutEvents.max());
    json.put("rollout_events_per_100_devices", ProcessCosts.rounded(eventsPerHundred()));
    upgradeEvents.putInto(json.putObject("upgrade_events"));
    ObjectNode heap = json.putObject("server_heap_mib_when_done");
    heapKibByFinished.forEach(
        (done, kib) -> heap.put(Integer.toString(done), ProcessCosts.rounded(kib / ProcessCosts.MIB)));
    costs.putMemory(json, "peak_resident_mib", ProcessUsage::peakKib);
    ArrayNode automaticPauses = json.putArray("automatic_pauses");
    for (AutomaticPause automaticPause : pauses()) {
      automaticPauses
          .addObject()
          .put("wave", automaticPause.decision().wave())
          .put("message", automaticPause.decision().message())
          .put("inputs", automaticPause.decision().inputs())
          .put("latency_ms", automaticPause.latencyMs())
          .put("started_while_paused", automaticPause.startedWhilePaused());
    }
    return json;
  }

  @Override
  public List<String> lines() {
    List<String> lines = new ArrayList<>(costs.lines(null));
    lines.add("");
    lines.addAll(measured().lines());
    if (!pauses().isEmpty()) {
      lines.add("");
      Table automaticPauses = new Table("PAUSED IN WAVE", "LATENCY MS", "STARTED WHILE PAUSED", "MESSAGE");
      pauses()
          .forEach(automaticPause ->
              automaticPauses.addRow(
                  Integer.toString(automaticPause.decision().wave()),
                  Long.toString(automaticPause.latencyMs()),
                  Integer.toString(automaticPause.startedWhilePaused()),
                  automaticPause.decision().message()));
      lines.addAll(automaticPauses.lines());
    }
    return lines;
  }

  private Table measured() {
    Table all = new Table("MEASURED", "");
    all.addRow("devices", "%d in %d waves %s".formatted(parameters.devices(), parameters.waves(), run.outcomes()));
    all.addRow("seconds", "%.1f".formatted(run.duration().toMillis() / 1000.0));
    all.addRow("upgrades per second", "%.1f".formatted(costs.perSecond(run.duration())));
    all.addRow("CPU ms per upgrade", "%.1f".formatted(costs.cpuMs()));
    all.addRow("max in progress", "%d of %d".formatted(run.maxInProgress(), parameters.maxParallel()));
    Percentiles gaps = Percentiles.of(run.waveGapsMs());
    all.addRow(
        "gap between waves, ms", "p50 %d, p99 %d (%d samples)".formatted(gaps.p50(), gaps.p99(), gaps.samples()));
    all.addRow("rollout's events", "%d; per 100 devices %.1f".formatted(rolloutEvents.max(), eventsPerHundred()));
    all.addRow("upgrades' events", "%.1f (max %d)".formatted(upgradeEvents.mean(), upgradeEvents.max()));
    all.addRow(
        "server heap MiB",
        heapKibByFinished.entrySet().stream()
            .map(sample -> "%.1f at %d".formatted(sample.getValue() / ProcessCosts.MIB, sample.getKey()))
            .collect(Collectors.joining(", ")));
    return all;
  }
}
