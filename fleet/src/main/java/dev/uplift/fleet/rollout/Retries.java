package dev.uplift.fleet.rollout;

import dev.uplift.fleet.ErrorClass;
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
public record Retries(Map<ErrorClass, Integer> limits, Duration backOff) {
  public static final Retries NONE = new Retries(Map.of(), Duration.ofMinutes(10));

  private static final int MOST = 10;
  private static final Duration LONGEST_BACK_OFF = Duration.ofDays(7);

  public Retries {
    Map<ErrorClass, Integer> ordered = new EnumMap<>(ErrorClass.class);
    ordered.putAll(limits);
    limits = Collections.unmodifiableMap(ordered);
  }

  /// When the device may be tried again; empty: it is not. What is not as it was before needs a
  /// person first.
  ///
  /// @param error class of its first error
  /// @param attempt which one it was that failed, from 1
  public Optional<Instant> after(Verdict verdict, ErrorClass error, int attempt, Instant endedAt) {
    boolean mayTry = !verdict.isSuccess() && !verdict.isUnverified() && verdict != Verdict.ABORTED;
    return mayTry && attempt <= limits.getOrDefault(error, 0)
        ? Optional.of(endedAt.plus(backOff.multipliedBy(1L << Math.min(attempt - 1, MOST))))
        : Optional.empty();
  }

  void check(Faults faults) {
    limits.forEach((error, most) -> faults.within(0, MOST, Words.word(error), most));
    faults.within(LONGEST_BACK_OFF, "back_off_s", backOff);
  }
}
