package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.upgrade.UpgradeResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A finished rollout with the times of the server.
///
/// @param targets its devices
/// @param decisions in their order
/// @param upgradeStarts start of the first upgrades of each wave, by id of the upgrade
record MeasuredRollout(
    JsonNode rollout, List<Target> targets, List<Decision> decisions, Map<String, Instant> upgradeStarts) {
  /// Number of upgrades per wave that are read to find the first start.
  private static final int STARTS_PER_WAVE = 16;

  /// A device with its last attempt.
  record Target(String device, int wave, String outcome, String upgrade, Instant startedAt, Instant endedAt) {
    static Target of(JsonNode json) {
      return new Target(
          json.path("device").asString(""),
          json.path("wave").asInt(0),
          json.path("outcome").asString(json.path("state").asString("")),
          json.path("upgrade").asString(""),
          time(json, "started_at"),
          time(json, "ended_at"));
    }

    boolean hasFailed() {
      return outcome.equals("rolled-back") || outcome.equals("unhealthy");
    }
  }

  /// A decision about the rollout.
  record Decision(Instant at, int wave, String kind, String actor, String message, String inputs) {
    static Decision of(JsonNode json) {
      return new Decision(
          time(json, "decided_at"),
          json.path("wave").asInt(0),
          json.path("decision").asString(""),
          json.path("actor").asString(""),
          json.path("message").asString(""),
          json.path("inputs").asString(""));
    }
  }

  /// A pause by the rollout itself.
  ///
  /// @param latencyMs from the failure that exceeded the threshold
  /// @param startedWhilePaused devices started until it was resumed
  record AutomaticPause(Decision decision, long latencyMs, int startedWhilePaused) {}

  static MeasuredRollout of(BenchStack stack, String id) {
    RestClient restClient = stack.rest();
    List<Target> targets =
        restClient
            .getAll("rollouts/" + id + "/devices", Map.of("limit", "1000"))
            .valueStream()
            .map(Target::of)
            .toList();
    List<Decision> decisions =
        restClient
            .getAll("rollouts/" + id + "/decisions", Map.of("limit", "1000"))
            .valueStream()
            .map(Decision::of)
            .sorted(Comparator.comparing(Decision::at))
            .toList();
    return new MeasuredRollout(restClient.get("rollouts/" + id), targets, decisions, upgradeStarts(stack, targets));
  }

  private static Map<String, Instant> upgradeStarts(BenchStack stack, List<Target> targets) {
    Map<Integer, List<Target>> waves = new TreeMap<>();
    targets.forEach(target -> waves.computeIfAbsent(target.wave(), _ -> new ArrayList<>()).add(target));
    List<String> first =
        waves.values().stream()
            .flatMap(wave ->
                wave.stream()
                    .sorted(Comparator.comparing(Target::startedAt))
                    .limit(STARTS_PER_WAVE)
                    .map(Target::upgrade))
            .toList();
    Map<String, Instant> begun = new HashMap<>();
    for (UpgradeResponse upgrade : stack.upgrades(first)) {
      upgrade.startedAt().ifPresent(at -> begun.put(upgrade.id(), at));
    }
    return begun;
  }

  private static Instant time(JsonNode json, String field) {
    return Instant.parse(json.path(field).asString(Instant.EPOCH.toString()));
  }

  Duration duration() {
    return Duration.between(time(rollout, "started_at"), time(rollout, "ended_at"));
  }

  Map<String, Long> outcomes() {
    Map<String, Long> outcomes = new TreeMap<>();
    targets.forEach(target -> outcomes.merge(target.outcome(), 1L, Long::sum));
    return outcomes;
  }

  /// Returns the times from the last outcome of each wave to the first start of the next. Omits waves with a pause in
  /// between, because that waited for a person.
  List<Long> waveGapsMs() {
    List<Long> gaps = new ArrayList<>();
    for (int wave = 1; wave < rollout.path("wave_count").asInt(0); wave++) {
      Optional<Instant> last = of(wave).map(Target::endedAt).max(Comparator.naturalOrder());
      Optional<Instant> first =
          of(wave + 1)
              .flatMap(target -> Optional.ofNullable(upgradeStarts.get(target.upgrade())).stream())
              .min(Comparator.naturalOrder());
      if (last.isPresent() && first.isPresent() && !isResumed(last.get(), first.get())) {
        gaps.add(Duration.between(last.get(), first.get()).toMillis());
      }
    }
    return gaps;
  }

  private Stream<Target> of(int wave) {
    return targets.stream().filter(target -> target.wave() == wave);
  }

  private boolean isResumed(Instant from, Instant until) {
    return decisions.stream()
        .anyMatch(one -> one.kind().equals("resume") && one.at().isAfter(from) && one.at().isBefore(until));
  }

  /// Returns the pauses by the rollout itself.
  ///
  /// @param limit failures since the start of the wave, or since it was resumed
  List<AutomaticPause> automaticPauses(int limit) {
    return decisions.stream()
        .filter(one -> one.kind().equals("pause") && one.actor().equals("uplift"))
        .map(pause -> automaticPause(pause, limit))
        .toList();
  }

  private AutomaticPause automaticPause(Decision pause, int limit) {
    Instant mark =
        decisions.stream()
            .filter(one -> one.kind().equals("next-wave") || one.kind().equals("resume"))
            .map(Decision::at)
            .filter(at -> at.isBefore(pause.at()))
            .max(Comparator.naturalOrder())
            .orElse(Instant.EPOCH);
    List<Instant> failed =
        targets.stream()
            .filter(Target::hasFailed)
            .map(Target::endedAt)
            .filter(at -> at.isAfter(mark) && !at.isAfter(pause.at()))
            .sorted()
            .toList();
    Instant tooMany = failed.isEmpty() ? pause.at() : failed.get(Math.min(limit, failed.size()) - 1);
    return new AutomaticPause(pause, Duration.between(tooMany, pause.at()).toMillis(), startedWhilePaused(pause.at()));
  }

  /// Counts devices that were started between a pause and its end.
  private int startedWhilePaused(Instant pause) {
    Instant resumed =
        decisions.stream()
            .filter(one -> one.kind().equals("resume") && one.at().isAfter(pause))
            .map(Decision::at)
            .min(Comparator.naturalOrder())
            .orElse(Instant.MAX);
    return Math.toIntExact(
        targets.stream().map(Target::startedAt).filter(at -> at.isAfter(pause) && at.isBefore(resumed)).count());
  }

  /// Returns the maximum of devices in progress at once.
  int maxInProgress() {
    List<Map.Entry<Instant, Integer>> changes = new ArrayList<>();
    targets.stream()
        .filter(target -> target.endedAt().isAfter(target.startedAt()))
        .forEach(target -> {
          changes.add(Map.entry(target.startedAt(), 1));
          changes.add(Map.entry(target.endedAt(), -1));
        });
    // A device that ends as another begins does not overlap it.
    changes.sort(Map.Entry.<Instant, Integer>comparingByKey().thenComparing(Map.Entry.comparingByValue()));
    int now = 0;
    int max = 0;
    for (Map.Entry<Instant, Integer> change : changes) {
      now += change.getValue();
      max = Math.max(max, now);
    }
    return max;
  }
}
