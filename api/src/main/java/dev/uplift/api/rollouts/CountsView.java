package dev.uplift.api.rollouts;

import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.WaveCounts;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// How many devices are where. Each is in one of `pending`, `in_work`, `prepared`, `skipped`,
/// `succeeded`, `failed` and `other`.
///
/// @param prepared before their window, which they wait for
/// @param other neither succeeded nor failed: declined, expired, aborted
/// @param byOutcome those that have ended, by what came of them
@Serdeable
record CountsView(
    int devices,
    int pending,
    int inWork,
    int prepared,
    int skipped,
    int succeeded,
    int failed,
    int other,
    Map<String, Integer> byOutcome) {

  static CountsView of(WaveCounts counts) {
    int ended = sum(counts, _ -> true);
    int succeeded = sum(counts, Verdict::isSuccess);
    int failed = sum(counts, Verdict::isFailure);
    Map<String, Integer> byOutcome = new TreeMap<>();
    counts.ended().forEach((verdict, devices) -> byOutcome.put(verdict.toString(), devices));
    return new CountsView(
        counts.pending() + counts.inWork() + counts.ahead() + counts.skipped() + ended,
        counts.pending(),
        counts.inWork(),
        counts.ahead(),
        counts.skipped(),
        succeeded,
        failed,
        ended - succeeded - failed,
        byOutcome);
  }

  private static int sum(WaveCounts counts, Predicate<Verdict> which) {
    return counts.ended().entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }
}
