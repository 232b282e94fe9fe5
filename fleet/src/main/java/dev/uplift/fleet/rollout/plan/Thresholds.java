package dev.uplift.fleet.rollout.plan;

import dev.uplift.fleet.rollout.ResultCounts;
import dev.uplift.fleet.rollout.TargetResult;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How many failures a rollout bears. They are counted from the begin of the current wave, or from the last resume if
/// that was later, of whatever wave they are.
///
/// @param successPercent of the devices that succeeded or failed, so many have to have succeeded when a wave is done
/// @param minSuccesses so many devices of a wave have to have succeeded before the next one begins
/// @param failures at this many it stops
/// @param failurePercent at this share of the devices that succeeded or failed it stops
/// @param minSample of how many a share is taken at least
/// @param consecutiveFailures at this many failures with no success between them it stops
/// @param byOutcome at this many of one outcome it stops; also for those that are no failures
/// @param unhealthyAfter how long a host of an upgraded device may be silent while its wave soaks
public record Thresholds(
    int successPercent,
    int minSuccesses,
    Optional<Integer> failures,
    Optional<Integer> failurePercent,
    int minSample,
    Optional<Integer> consecutiveFailures,
    Map<TargetResult, Integer> byOutcome,
    Duration unhealthyAfter,
    ThresholdAction action) {

  private static final Duration MAX_SILENCE = Duration.ofDays(1);

  /// The defaults stop a rollout at the first signs of trouble.
  public static final Thresholds DEFAULTS =
      new Thresholds(
          95,
          1,
          Optional.of(2),
          Optional.of(5),
          10,
          Optional.empty(),
          Map.of(TargetResult.STRANDED, 1),
          Duration.ofMinutes(5),
          ThresholdAction.PAUSE);

  public Thresholds {
    Map<TargetResult, Integer> ordered = new EnumMap<>(TargetResult.class);
    ordered.putAll(byOutcome);
    byOutcome = Collections.unmodifiableMap(ordered);
  }

  /// These, except for what is done when there are too many failures.
  public Thresholds withAction(ThresholdAction next) {
    return new Thresholds(
        successPercent,
        minSuccesses,
        failures,
        failurePercent,
        minSample,
        consecutiveFailures,
        byOutcome,
        unhealthyAfter,
        next);
  }

  /// The violations in a change of rules of a running rollout.
  ///
  /// @param field of the API that has them
  public List<PlanViolation> violations(String field) {
    ViolationCollector violations = ViolationCollector.create();
    validate(violations.under(field));
    return violations.violations();
  }

  void validate(ViolationCollector violations) {
    violations.requireWithin(0, 100, "success_percent", successPercent);
    violations.requireAtLeast(0, "min_successes", minSuccesses);
    violations.requireWithin(0, MAX_SILENCE.toSeconds(), "unhealthy_after_seconds", unhealthyAfter.toSeconds());
    failures.ifPresent(most -> violations.requireAtLeast(1, "failures", most));
    failurePercent.ifPresent(most -> violations.requireWithin(1, 100, "failure_percent", most));
    violations.requireAtLeast(1, "min_sample", minSample);
    consecutiveFailures.ifPresent(
        most -> violations.requireWithin(1, ResultCounts.MAX_LATEST, "consecutive_failures", most));
    ViolationCollector inside = violations.under("by_outcome");
    byOutcome.forEach((result, most) -> {
      inside.require(
          !result.isSuccess(), result.toString(), "is no outcome to stop at; expected one that is not a success");
      inside.requireAtLeast(1, result.toString(), most);
    });
  }
}
