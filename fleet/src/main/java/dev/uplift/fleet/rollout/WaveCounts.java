package dev.uplift.fleet.rollout;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/// Where the devices of one or several waves are. Each is in exactly one of these.
///
/// @param pending still to come
/// @param inWork an upgrade of them runs, or is about to
/// @param ahead prepared, or about to be, for a window to come
/// @param skipped left out
/// @param ended by what came of them
public record WaveCounts(
    int pending, int inWork, int ahead, int skipped, Map<Verdict, Integer> ended) {
  public static final WaveCounts NONE = new WaveCounts(0, 0, 0, 0, Map.of());

  public WaveCounts {
    Map<Verdict, Integer> ordered = new EnumMap<>(Verdict.class);
    ordered.putAll(ended);
    ended = Collections.unmodifiableMap(ordered);
  }

  /// Whether nothing of it is to come and nothing in work.
  boolean isOver() {
    return pending == 0 && open() == 0;
  }

  /// So many have not ended that were begun.
  int open() {
    return inWork + ahead;
  }

  boolean isBegun() {
    return open() > 0 || !ended.isEmpty();
  }

  int all() {
    return pending + open() + skipped + endedAll();
  }

  int endedAll() {
    return ended.values().stream().mapToInt(Integer::intValue).sum();
  }

  int succeeded() {
    return ended.entrySet().stream()
        .filter(entry -> entry.getKey().isSuccess())
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  String inWords() {
    return "%d pending, %d in work, %d ahead, %d skipped, ended: %s"
        .formatted(pending, inWork, ahead, skipped, Words.counts(ended));
  }
}
