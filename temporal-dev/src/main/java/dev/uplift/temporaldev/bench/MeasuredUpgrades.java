package dev.uplift.temporaldev.bench;

import dev.uplift.cli.upgrade.UpgradeResponse;
import dev.uplift.cli.upgrade.UpgradeResponse.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The measured upgrades with the times of the server.
///
/// @param outcomes number of upgrades by outcome
/// @param duration from the first start to the last end
/// @param commandLatenciesMs from each outcome of a command to the next command to the same host
record MeasuredUpgrades(Map<String, Long> outcomes, Duration duration, List<Long> commandLatenciesMs) {
  static MeasuredUpgrades of(List<UpgradeResponse> all) {
    Map<String, Long> outcomes = new TreeMap<>();
    List<Long> latencies = new ArrayList<>();
    for (UpgradeResponse upgrade : all) {
      outcomes.merge(upgrade.outcome(), 1L, Long::sum);
      addLatencies(latencies, upgrade.steps());
    }
    return new MeasuredUpgrades(outcomes, duration(all), latencies);
  }

  private static Duration duration(List<UpgradeResponse> all) {
    Optional<Instant> first = all.stream().flatMap(upgrade -> upgrade.startedAt().stream()).min(Instant::compareTo);
    Optional<Instant> last = all.stream().flatMap(upgrade -> upgrade.endedAt().stream()).max(Instant::compareTo);
    return Duration.between(first.orElse(Instant.EPOCH), last.orElse(Instant.EPOCH));
  }

  private static void addLatencies(List<Long> latencies, List<Step> steps) {
    Map<String, Instant> answeredAt = new HashMap<>();
    for (Step step : steps) {
      Instant before = answeredAt.get(step.host());
      if (before != null && step.sentAt().isPresent()) {
        latencies.add(Duration.between(before, step.sentAt().get()).toMillis());
      }
      step.finishedAt().ifPresent(at -> answeredAt.put(step.host(), at));
    }
  }
}
