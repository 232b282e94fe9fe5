package dev.uplift.fleet.rollout;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// The results of devices since the baseline: the begin of the current wave or the last resume, whichever was later.
///
/// @param counts how many of each
/// @param latest the newest, newest first, [#MAX_LATEST] at most
public record ResultCounts(Map<TargetResult, Integer> counts, List<TargetResult> latest) {
  public static final ResultCounts NONE = new ResultCounts(Map.of(), List.of());

  /// No rule looks further back.
  public static final int MAX_LATEST = 100;

  public ResultCounts {
    Map<TargetResult, Integer> ordered = new EnumMap<>(TargetResult.class);
    ordered.putAll(counts);
    counts = Collections.unmodifiableMap(ordered);
    latest = List.copyOf(latest);
  }

  public int count(TargetResult result) {
    return counts.getOrDefault(result, 0);
  }

  public int failed() {
    return sum(TargetResult::isFailure);
  }

  public int succeeded() {
    return sum(TargetResult::isSuccess);
  }

  /// Failures at the end with no success between them; what says nothing is passed over.
  public int consecutiveFailures() {
    return Math.toIntExact(
        latest.stream()
            .filter(result -> result.isFailure() || result.isSuccess())
            .takeWhile(TargetResult::isFailure)
            .count());
  }

  public String describeFailures() {
    Map<TargetResult, Integer> failures = new EnumMap<>(counts.isEmpty() ? Map.of() : counts);
    failures.keySet().removeIf(result -> !result.isFailure());
    return Phrases.describeCounts(failures);
  }

  private int sum(Predicate<TargetResult> which) {
    return counts.entrySet().stream().filter(entry -> which.test(entry.getKey())).mapToInt(Map.Entry::getValue).sum();
  }
}
