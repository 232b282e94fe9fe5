package dev.uplift.fleet.rollout.plan;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.TargetResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/// How often a device is tried again by itself after an upgrade of it failed.
///
/// @param limits how often, by the class of its first error; nothing said: never
/// @param backOff how long after the failure at the earliest; doubles each time
public record RetryPolicy(Map<ErrorClass, Integer> limits, Duration backOff) {
  public static final RetryPolicy NONE = new RetryPolicy(Map.of(), Duration.ofMinutes(10));

  private static final int MAX_RETRIES = 10;
  private static final Duration MAX_BACK_OFF = Duration.ofDays(7);

  public RetryPolicy {
    Map<ErrorClass, Integer> ordered = new EnumMap<>(ErrorClass.class);
    ordered.putAll(limits);
    limits = Collections.unmodifiableMap(ordered);
  }

  /// When the device may be tried again; empty: it is not. What is not as it was before needs a person first.
  ///
  /// @param error class of its first error
  /// @param attempt which one it was that failed, from 1
  public Optional<Instant> retryAt(TargetResult result, ErrorClass error, int attempt, Instant endedAt) {
    boolean mayTry = !result.isSuccess() && !result.isUnverified() && result != TargetResult.ABORTED;
    return mayTry && attempt <= limits.getOrDefault(error, 0)
        ? Optional.of(endedAt.plus(backOff.multipliedBy(1L << Math.min(attempt - 1, MAX_RETRIES))))
        : Optional.empty();
  }

  void validate(ViolationCollector violations) {
    limits.forEach((error, most) -> violations.requireWithin(0, MAX_RETRIES, Phrases.word(error), most));
    violations.requireWithin(MAX_BACK_OFF, "backoff_seconds", backOff);
  }
}
