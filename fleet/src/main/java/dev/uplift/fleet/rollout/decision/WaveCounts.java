package dev.uplift.fleet.rollout.decision;

import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.TargetResult;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;

/// Where the devices of one or several waves are. Each is in exactly one of these.
///
/// @param pending still to come
/// @param inProgress an upgrade of them runs, or is about to
/// @param preparing prepared, or about to be, before their window
/// @param skipped left out
/// @param ended by what came of them
public record WaveCounts(int pending, int inProgress, int preparing, int skipped, Map<TargetResult, Integer> ended) {
  public static final WaveCounts NONE = new WaveCounts(0, 0, 0, 0, Map.of());

  public WaveCounts {
    Map<TargetResult, Integer> ordered = new EnumMap<>(TargetResult.class);
    ordered.putAll(ended);
    ended = Collections.unmodifiableMap(ordered);
  }

  /// Returns whether no device is pending or in progress.
  boolean isOver() {
    return pending == 0 && open() == 0;
  }

  /// So many have not ended that were begun.
  int open() {
    return inProgress + preparing;
  }

  boolean isBegun() {
    return open() > 0 || !ended.isEmpty();
  }

  int total() {
    return pending + open() + skipped + endedTotal();
  }

  int endedTotal() {
    return ended.values().stream().mapToInt(Integer::intValue).sum();
  }

  int succeeded() {
    return sum(TargetResult::isSuccess);
  }

  int failed() {
    return sum(TargetResult::isFailure);
  }

  private int sum(Predicate<TargetResult> which) {
    return ended.entrySet().stream().filter(entry -> which.test(entry.getKey())).mapToInt(Map.Entry::getValue).sum();
  }

  String describe() {
    return "%d pending, %d in progress, %d preparing, %d skipped, ended: %s"
        .formatted(pending, inProgress, preparing, skipped, Phrases.describeCounts(ended));
  }
}
