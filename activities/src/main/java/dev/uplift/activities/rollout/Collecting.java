package dev.uplift.activities.rollout;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Retries;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.store.TargetEnding;
import dev.uplift.store.TargetError;
import dev.uplift.store.TargetVerdict;
import dev.uplift.store.UpgradeEnd;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Writes down what came of devices whose upgrades have ended, each exactly once.
final class Collecting {
  private final RolloutTables tables;

  Collecting(RolloutTables tables) {
    this.tables = tables;
  }

  /// To be called under the lock of the rollout. Returns how many there were.
  int collect(RolloutId id, Retries retries) {
    List<TargetEnding> ended = tables.queue().endings(id);
    if (!ended.isEmpty()) {
      tables.targets().end(id, ended.stream().map(Collecting::verdict).toList());
      ended.forEach(one ->
          again(one, retries)
              .ifPresent(at -> tables.targets().retry(id, one.target().device(), Optional.of(at))));
    }
    return ended.size();
  }

  private static TargetVerdict verdict(TargetEnding ended) {
    return new TargetVerdict(
        ended.target().device(),
        Verdict.of(ended.end().outcome()),
        isTouched(ended.end().outcome()),
        ended.end().isSuccess() ? Optional.empty() : ended.end().why().map(TargetError::of),
        ended.endedAt());
  }

  private static boolean isTouched(Outcome outcome) {
    return switch (outcome) {
      case UPGRADED, ROLLED_BACK, PARTIAL, STRANDED -> true;
      case NO_ACTION, PREPARE_FAILED, DECLINED, EXPIRED, ABORTED -> false;
    };
  }

  private static Optional<Instant> again(TargetEnding ended, Retries retries) {
    return retries.after(
        Verdict.of(ended.end().outcome()),
        ended.end().why().map(Collecting::errorClass).orElse(ErrorClass.FINAL),
        ended.target().attempt(),
        ended.endedAt());
  }

  /// One that is not known is not tried again on a guess.
  private static ErrorClass errorClass(UpgradeEnd.Why why) {
    String word = why.errorClass().isEmpty() ? why.kind() : why.errorClass();
    try {
      return ErrorClass.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException _) {
      return ErrorClass.FINAL;
    }
  }
}
