package dev.uplift.api.rollouts;

import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/// How many devices are where. Each is in one of `pending`, `in_work`, `prepared`, `skipped`, `succeeded`, `failed` and
/// `other`.
///
/// @param prepared before their window, which they wait for
/// @param other neither succeeded nor failed: declined, expired, aborted, offline until the end
/// @param offline pending and prepared devices whose turn has come and that are not heard
/// @param byOutcome those that have ended, by what came of them
@Serdeable
record DeviceCountsView(
    int devices,
    int pending,
    int inWork,
    int prepared,
    int skipped,
    int succeeded,
    int failed,
    int other,
    Map<String, Integer> byOutcome,
    int offline) {

  static DeviceCountsView of(WaveCounts counts) {
    int ended = sum(counts, _ -> true);
    int succeeded = sum(counts, TargetResult::isSuccess);
    int failed = sum(counts, TargetResult::isFailure);
    Map<String, Integer> byOutcome = new TreeMap<>();
    counts.ended().forEach((result, devices) -> byOutcome.put(result.toString(), devices));
    return new DeviceCountsView(
        counts.pending() + counts.inProgress() + counts.preparing() + counts.skipped() + ended,
        counts.pending(),
        counts.inProgress(),
        counts.preparing(),
        counts.skipped(),
        succeeded,
        failed,
        ended - succeeded - failed,
        byOutcome,
        counts.offline());
  }

  private static int sum(WaveCounts counts, Predicate<TargetResult> which) {
    return counts.ended().entrySet().stream()
        .filter(entry -> which.test(entry.getKey()))
        .mapToInt(Map.Entry::getValue)
        .sum();
  }
}
