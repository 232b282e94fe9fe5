package dev.uplift.cli.bench;

import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.upgrade.UpgradeView;
import dev.uplift.cli.upgrade.UpgradeView.StepView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What became of the upgrades that were measured, by the server's times.
///
/// @param outcomes how many ended how
/// @param took from the first start to the last end
/// @param reactionsMs from each answer of an agent to the next command to the same host
record Ended(Map<String, Long> outcomes, Duration took, List<Long> reactionsMs) {

  static Ended of(Rest rest, Crowd crowd, List<String> ids) {
    List<UpgradeView> all = Collections.synchronizedList(new ArrayList<>());
    crowd.each(ids, id -> all.add(UpgradeView.of(rest.get("upgrades/" + Rest.segment(id)))));
    Map<String, Long> outcomes = new TreeMap<>();
    List<Long> reactions = new ArrayList<>();
    for (UpgradeView upgrade : all) {
      outcomes.merge(upgrade.outcome(), 1L, Long::sum);
      addReactions(reactions, upgrade.steps());
    }
    return new Ended(outcomes, took(all), reactions);
  }

  private static Duration took(List<UpgradeView> all) {
    Optional<Instant> first =
        all.stream().flatMap(upgrade -> upgrade.startedAt().stream()).min(Instant::compareTo);
    Optional<Instant> last =
        all.stream().flatMap(upgrade -> upgrade.endedAt().stream()).max(Instant::compareTo);
    return Duration.between(first.orElse(Instant.EPOCH), last.orElse(Instant.EPOCH));
  }

  private static void addReactions(List<Long> reactions, List<StepView> steps) {
    Map<String, Instant> answeredAt = new HashMap<>();
    for (StepView step : steps) {
      Instant before = answeredAt.get(step.host());
      if (before != null && step.sentAt().isPresent()) {
        reactions.add(Duration.between(before, step.sentAt().get()).toMillis());
      }
      step.settledAt().ifPresent(at -> answeredAt.put(step.host(), at));
    }
  }
}
