package dev.uplift.fleet.rollout;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// What came of devices since the mark: the begin of the current wave or the last resume, whichever
/// was later.
///
/// @param counts how many of each
/// @param last the newest, newest first, [#LAST] at most
public record Judged(Map<Verdict, Integer> counts, List<Verdict> last) {
  public static final Judged NOTHING = new Judged(Map.of(), List.of());

  /// No rule looks further back.
  public static final int LAST = 100;

  public Judged {
    Map<Verdict, Integer> ordered = new EnumMap<>(Verdict.class);
    ordered.putAll(counts);
    counts = Collections.unmodifiableMap(ordered);
    last = List.copyOf(last);
  }

  int of(Verdict verdict) {
    return counts.getOrDefault(verdict, 0);
  }

  int failed() {
    return sum(Verdict::isFailure);
  }

  int succeeded() {
    return sum(Verdict::isSuccess);
  }

  /// Failures at the end with no success between them; what says nothing is passed over.
  int failedInARow() {
    return Math.toIntExact(
        last.stream()
            .filter(verdict -> verdict.isFailure() || verdict.isSuccess())
            .takeWhile(Verdict::isFailure)
            .count());
  }

  String failures() {
    Map<Verdict, Integer> failures = new EnumMap<>(counts.isEmpty() ? Map.of() : counts);
    failures.keySet().removeIf(verdict -> !verdict.isFailure());
    return Words.counts(failures);
  }

  private int sum(Predicate<Verdict> which) {
    return counts.entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }
}
