package dev.uplift.fleet.rollout.decision;

import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.TargetResult;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/// Where the devices of one or several waves are. Each is pending, in progress, preparing, skipped or ended.
///
/// @param pending still to come
/// @param inProgress an upgrade of them runs, or is about to
/// @param preparing prepared, or about to be, before their window
/// @param skipped left out
/// @param ended by what came of them
/// @param unheard the pending and prepared ones that are not heard, which hold up no other device; empty if there are
///   none
public record WaveCounts(
    int pending,
    int inProgress,
    int preparing,
    int skipped,
    Map<TargetResult, Integer> ended,
    Optional<Unheard> unheard) {
  public static final WaveCounts NONE = new WaveCounts(0, 0, 0, 0, Map.of());

  public WaveCounts {
    Map<TargetResult, Integer> ordered = new EnumMap<>(TargetResult.class);
    ordered.putAll(ended);
    ended = Collections.unmodifiableMap(ordered);
    // Absent in older histories.
    unheard = Objects.requireNonNullElse(unheard, Optional.empty());
  }

  /// Devices that are not heard.
  ///
  /// @param lastAt when the last of them was found offline
  public record Unheard(int devices, Instant lastAt) {}

  /// Counts where all devices are heard.
  public WaveCounts(int pending, int inProgress, int preparing, int skipped, Map<TargetResult, Integer> ended) {
    this(pending, inProgress, preparing, skipped, ended, Optional.empty());
  }

  /// These, of which `devices` are offline.
  public WaveCounts withOffline(int devices, Optional<Instant> lastAt) {
    return new WaveCounts(pending, inProgress, preparing, skipped, ended, lastAt.map(at -> new Unheard(devices, at)));
  }

  /// So many of the pending and prepared ones are not heard.
  public int offline() {
    return unheard.map(Unheard::devices).orElse(0);
  }

  /// When the last of these was found offline.
  Optional<Instant> lastOfflineAt() {
    return unheard.map(Unheard::lastAt);
  }

  /// Returns whether no device is pending or in progress, except those that are offline.
  boolean isOver() {
    return pending + open() - offline() == 0;
  }

  /// So many have not ended that were begun.
  int open() {
    return inProgress + preparing;
  }

  boolean isBegun() {
    return open() > 0 || !ended.isEmpty();
  }

  public int total() {
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

  /// What came of the devices that do not run the release.
  String describeOthers() {
    Map<TargetResult, Integer> others = new EnumMap<>(TargetResult.class);
    others.putAll(ended);
    others.keySet().removeIf(TargetResult::isSuccess);
    String results = Phrases.describeCounts(others);
    if (skipped == 0) {
      return results;
    }
    return others.isEmpty() ? skipped + " skipped" : "%s, %d skipped".formatted(results, skipped);
  }

  String describe() {
    return "%d pending, %d in progress, %d preparing, %d skipped%s, ended: %s"
        .formatted(
            pending,
            inProgress,
            preparing,
            skipped,
            offline() > 0 ? ", %d offline".formatted(offline()) : "",
            Phrases.describeCounts(ended));
  }
}
