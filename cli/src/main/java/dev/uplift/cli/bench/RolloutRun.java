package dev.uplift.cli.bench;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.upgrade.UpgradeView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// A rollout that has ended, by the server's times.
///
/// @param targets its devices
/// @param decided what was decided, in order
/// @param begun when the upgrades of the first devices of each wave began, by their ids
record RolloutRun(
    JsonNode rollout, List<Target> targets, List<Decided> decided, Map<String, Instant> begun) {
  /// Of each wave so many are looked at, to find the first.
  private static final int FIRST = 16;

  /// A device of it, as it was last tried.
  record Target(
      String device, int wave, String outcome, String upgrade, Instant startedAt, Instant endedAt) {
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

  /// A line of its log.
  record Decided(Instant at, int wave, String what, String by, String sentence, String inputs) {
    static Decided of(JsonNode json) {
      return new Decided(
          time(json, "at"),
          json.path("wave").asInt(0),
          json.path("decision").asString(""),
          json.path("by").asString(""),
          json.path("sentence").asString(""),
          json.path("inputs").asString(""));
    }
  }

  /// It has stopped by itself.
  ///
  /// @param afterMs from the failure that was one too many
  /// @param startedMeanwhile devices, until it was resumed
  record Stop(Decided decided, long afterMs, int startedMeanwhile) {}

  static RolloutRun of(Rest rest, Crowd crowd, String id) {
    List<Target> targets =
        rest.all("rollouts/" + id + "/devices", Map.of("limit", "1000"))
            .valueStream()
            .map(Target::of)
            .toList();
    List<Decided> decided =
        rest.all("rollouts/" + id + "/decisions", Map.of("limit", "1000"))
            .valueStream()
            .map(Decided::of)
            .sorted(Comparator.comparing(Decided::at))
            .toList();
    return new RolloutRun(
        rest.get("rollouts/" + id), targets, decided, begun(rest, crowd, targets));
  }

  private static Map<String, Instant> begun(Rest rest, Crowd crowd, List<Target> targets) {
    Map<Integer, List<Target>> waves = new TreeMap<>();
    targets.forEach(
        target -> waves.computeIfAbsent(target.wave(), _ -> new ArrayList<>()).add(target));
    List<String> first =
        waves.values().stream()
            .flatMap(wave ->
                wave.stream()
                    .sorted(Comparator.comparing(Target::startedAt))
                    .limit(FIRST)
                    .map(Target::upgrade))
            .toList();
    Map<String, Instant> begun = new ConcurrentHashMap<>();
    crowd.each(
        first,
        upgrade ->
            UpgradeView.of(rest.get("upgrades/" + Rest.segment(upgrade)))
                .startedAt()
                .ifPresent(at -> begun.put(upgrade, at)));
    return begun;
  }

  private static Instant time(JsonNode json, String field) {
    return Instant.parse(json.path(field).asString(Instant.EPOCH.toString()));
  }

  Duration took() {
    return Duration.between(time(rollout, "started_at"), time(rollout, "ended_at"));
  }

  Map<String, Long> outcomes() {
    Map<String, Long> outcomes = new TreeMap<>();
    targets.forEach(target -> outcomes.merge(target.outcome(), 1L, Long::sum));
    return outcomes;
  }

  /// From the last outcome of each wave to the begin of the first upgrade of the next. Where it had
  /// stopped in between, a person was waited for, and that says nothing.
  List<Long> gapsMs() {
    List<Long> gaps = new ArrayList<>();
    for (int wave = 1; wave < rollout.path("waves").asInt(0); wave++) {
      Optional<Instant> last = of(wave).map(Target::endedAt).max(Comparator.naturalOrder());
      Optional<Instant> first =
          of(wave + 1)
              .flatMap(target -> Optional.ofNullable(begun.get(target.upgrade())).stream())
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
    return decided.stream()
        .anyMatch(one ->
            one.what().equals("resume") && one.at().isAfter(from) && one.at().isBefore(until));
  }

  /// @param limit of failures since the wave began, or since it was resumed
  List<Stop> stops(int limit) {
    return decided.stream()
        .filter(one -> one.what().equals("pause") && one.by().equals("uplift"))
        .map(pause -> stop(pause, limit))
        .toList();
  }

  private Stop stop(Decided pause, int limit) {
    Instant mark =
        decided.stream()
            .filter(one -> one.what().equals("next-wave") || one.what().equals("resume"))
            .map(Decided::at)
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
    Instant tooMany =
        failed.isEmpty() ? pause.at() : failed.get(Math.min(limit, failed.size()) - 1);
    return new Stop(
        pause, Duration.between(tooMany, pause.at()).toMillis(), startedAfter(pause.at()));
  }

  /// Until it was resumed.
  private int startedAfter(Instant pause) {
    Instant resumed =
        decided.stream()
            .filter(one -> one.what().equals("resume") && one.at().isAfter(pause))
            .map(Decided::at)
            .min(Comparator.naturalOrder())
            .orElse(Instant.MAX);
    return Math.toIntExact(
        targets.stream()
            .map(Target::startedAt)
            .filter(at -> at.isAfter(pause) && at.isBefore(resumed))
            .count());
  }

  /// The most that were in work at once.
  int mostInFlight() {
    List<Map.Entry<Instant, Integer>> changes = new ArrayList<>();
    targets.stream()
        .filter(target -> target.endedAt().isAfter(target.startedAt()))
        .forEach(target -> {
          changes.add(Map.entry(target.startedAt(), 1));
          changes.add(Map.entry(target.endedAt(), -1));
        });
    // Where one ends as another begins they were not there together.
    changes.sort(
        Map.Entry.<Instant, Integer>comparingByKey().thenComparing(Map.Entry.comparingByValue()));
    int now = 0;
    int most = 0;
    for (Map.Entry<Instant, Integer> change : changes) {
      now += change.getValue();
      most = Math.max(most, now);
    }
    return most;
  }
}
