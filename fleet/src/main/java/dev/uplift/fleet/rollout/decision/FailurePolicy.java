package dev.uplift.fleet.rollout.decision;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Abort;
import dev.uplift.fleet.rollout.Decision.Pause;
import dev.uplift.fleet.rollout.Decision.RollBackWave;
import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.ResultCounts;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.plan.Thresholds;
import java.util.Map;
import java.util.Optional;

/// Judges whether the results of devices let a rollout continue.
final class FailurePolicy {
  private final Thresholds thresholds;
  private final ResultCounts results;

  FailurePolicy(Thresholds thresholds, ResultCounts results) {
    this.thresholds = thresholds;
    this.results = results;
  }

  /// The reaction to too many failures; empty if there are not too many.
  Optional<Decision> judgeFailures() {
    return exceededThreshold().map(this::decide);
  }

  /// The reaction to too few successes at the end of a wave; empty if there are enough.
  Optional<Decision> judgeSuccesses(String wave) {
    int judged = results.succeeded() + results.failed();
    boolean enough = results.succeeded() * 100L >= (long) thresholds.successPercent() * judged;
    return enough
        ? Optional.empty()
        : Optional.of(
            decide(
                "%s is over and %d of %s succeeded (%s); to continue it takes %d %%"
                    .formatted(
                        wave,
                        results.succeeded(),
                        Phrases.devices(judged),
                        Phrases.formatPercent(results.succeeded(), judged),
                        thresholds.successPercent())));
  }

  /// A pause if so few devices of a wave that is over run the release that it proves nothing; empty if there are
  /// enough, or if it has no devices.
  Optional<Decision> judgeProof(String wave, WaveCounts devices) {
    int needed = successesNeeded(devices);
    return devices.succeeded() >= needed
        ? Optional.empty()
        : Optional.of(
            new Pause(
                ("%s is over and %d of %s run the release (%s); the next wave takes %d: retry-failed tries them again,"
                        + " resume continues without them, abort ends the rollout")
                    .formatted(
                        wave,
                        devices.succeeded(),
                        Phrases.devices(devices.total()),
                        devices.describeOthers(),
                        needed)));
  }

  int successesNeeded(WaveCounts devices) {
    return Math.min(thresholds.minSuccesses(), devices.total());
  }

  private Optional<String> exceededThreshold() {
    return byOutcome().or(this::byCount).or(this::byPercent).or(this::byConsecutiveFailures);
  }

  private Optional<String> byOutcome() {
    return thresholds.byOutcome().entrySet().stream()
        .filter(limit -> results.count(limit.getKey()) >= limit.getValue())
        .map(this::describeOutcome)
        .findFirst();
  }

  private String describeOutcome(Map.Entry<TargetResult, Integer> limit) {
    return "%s %s; it stops at %d"
        .formatted(Phrases.devicesAre(results.count(limit.getKey())), limit.getKey(), limit.getValue());
  }

  private Optional<String> byCount() {
    return thresholds
        .failures()
        .filter(most -> results.failed() >= most)
        .map(most ->
            "%s failed (%s); it stops at %d"
                .formatted(Phrases.devices(results.failed()), results.describeFailures(), most));
  }

  private Optional<String> byPercent() {
    int judged = results.succeeded() + results.failed();
    return thresholds
        .failurePercent()
        .filter(most ->
            judged >= thresholds.minSample() && results.failed() > 0 && results.failed() * 100L >= (long) most * judged)
        .map(most ->
            "%d of %s failed (%s: %s); it stops at %d %% of at least %d"
                .formatted(
                    results.failed(),
                    Phrases.devices(judged),
                    Phrases.formatPercent(results.failed(), judged),
                    results.describeFailures(),
                    most,
                    thresholds.minSample()));
  }

  private Optional<String> byConsecutiveFailures() {
    return thresholds
        .consecutiveFailures()
        .filter(most -> results.consecutiveFailures() >= most)
        .map(most ->
            "the last %s failed; it stops at %d in a row"
                .formatted(Phrases.devices(results.consecutiveFailures()), most));
  }

  private Decision decide(String why) {
    return switch (thresholds.action()) {
      case PAUSE -> new Pause(why);
      case ABORT -> new Abort(why);
      case ROLL_BACK_WAVE -> new RollBackWave(why);
    };
  }
}
