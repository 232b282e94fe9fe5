package dev.uplift.api.enrolment;

import java.time.Duration;
import java.time.Instant;

/// How much somebody may still ask: it grows with time, up to what a minute brings.
///
/// @param perMinute what a minute brings
/// @param left at that time; below nothing after more was taken than there was
record Allowance(int perMinute, double left, Instant at) {
  private static final double MS = 60_000;

  static Allowance whole(int perMinute, Instant now) {
    return new Allowance(perMinute, perMinute, now);
  }

  /// The same at a later time.
  Allowance at(Instant now) {
    long passed = Math.max(0, Duration.between(at, now).toMillis());
    return new Allowance(perMinute, Math.min(perMinute, left + passed * perMinute / MS), now);
  }

  /// Less that, but never more than a minute's worth below nothing.
  Allowance less(int cost) {
    return new Allowance(perMinute, Math.max(-perMinute, left - cost), at);
  }

  boolean isEnough() {
    return left >= 1;
  }

  /// All that it can be.
  boolean isWhole() {
    return left >= perMinute;
  }

  /// How long until it is enough.
  Duration untilEnough() {
    return Duration.ofMillis((long) Math.ceil(Math.max(0, 1 - left) * MS / perMinute));
  }
}
