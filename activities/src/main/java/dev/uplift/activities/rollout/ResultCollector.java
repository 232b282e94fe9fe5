package dev.uplift.activities.rollout;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.plan.RetryPolicy;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.rollout.FinishedTarget;
import dev.uplift.store.rollout.NewTargetResult;
import dev.uplift.store.rollout.TargetError;
import dev.uplift.store.upgrade.UpgradeEnd;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Records the results of devices whose upgrades have ended, each exactly once.
final class ResultCollector {
  private final RolloutRepositories repositories;

  ResultCollector(RolloutRepositories repositories) {
    this.repositories = repositories;
  }

  /// Returns how many there were. To be called under the lock of the rollout.
  int collect(RolloutId id, RetryPolicy retryPolicy) {
    List<FinishedTarget> ended = repositories.queue().finishedUpgrades(id);
    if (!ended.isEmpty()) {
      repositories.targets().recordResults(id, ended.stream().map(ResultCollector::toTargetResult).toList());
      ended.forEach(one ->
          retryAt(one, retryPolicy)
              .ifPresent(at -> repositories.targets().retry(id, one.target().device(), Optional.of(at))));
    }
    return ended.size();
  }

  private static NewTargetResult toTargetResult(FinishedTarget ended) {
    return new NewTargetResult(
        ended.target().device(),
        TargetResult.of(ended.end().outcome()),
        isChanged(ended.end().outcome()),
        ended.end().isSuccess() ? Optional.empty() : ended.end().reason().map(TargetError::of),
        ended.endedAt());
  }

  private static boolean isChanged(Outcome outcome) {
    return switch (outcome) {
      case UPGRADED, ROLLED_BACK, PARTIAL, STRANDED -> true;
      case NO_ACTION, PREPARE_FAILED, DECLINED, EXPIRED, ABORTED -> false;
    };
  }

  /// A device whose start met the stop of the tenant has its turn again, whatever the policy.
  private static Optional<Instant> retryAt(FinishedTarget ended, RetryPolicy retryPolicy) {
    boolean wasStopped = ended.end().reason().filter(reason -> reason.code().equals(UpgradeCheck.STOPPED)).isPresent();
    if (wasStopped) {
      return Optional.of(ended.endedAt());
    }
    return retryPolicy.retryAt(
        TargetResult.of(ended.end().outcome()),
        ended.end().reason().map(ResultCollector::errorClass).orElse(ErrorClass.FINAL),
        ended.target().attempt(),
        ended.endedAt());
  }

  /// An unknown class counts as final: no retry on a guess.
  private static ErrorClass errorClass(UpgradeEnd.EndReason endReason) {
    String word = endReason.errorClass().isEmpty() ? endReason.kind() : endReason.errorClass();
    try {
      return ErrorClass.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException _) {
      return ErrorClass.FINAL;
    }
  }
}
