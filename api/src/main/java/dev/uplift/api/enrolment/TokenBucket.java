package dev.uplift.api.enrolment;

import java.time.Duration;
import java.time.Instant;

/// How much somebody may still ask: it grows with time, up to what a minute brings.
///
/// @param perMinute what a minute brings
/// @param available at that time; below nothing after more was taken than there was
record TokenBucket(int perMinute, double available, Instant asOf) {
  private static final double MILLIS_PER_MINUTE = 60_000;

  static TokenBucket full(int perMinute, Instant now) {
    return new TokenBucket(perMinute, perMinute, now);
  }

  /// The same at a later time.
  TokenBucket asOf(Instant now) {
    long passed = Math.max(0, Duration.between(asOf, now).toMillis());
    return new TokenBucket(
        perMinute, Math.min(perMinute, available + passed * perMinute / MILLIS_PER_MINUTE), now);
  }

  /// Less that, but never more than a minute's worth below nothing.
  TokenBucket consume(int cost) {
    return new TokenBucket(perMinute, Math.max(-perMinute, available - cost), asOf);
  }

  boolean canConsume() {
    return available >= 1;
  }

  /// All that it can be.
  boolean isFull() {
    return available >= perMinute;
  }

  /// How long until it is enough.
  Duration timeUntilAvailable() {
    return Duration.ofMillis(
        (long) Math.ceil(Math.max(0, 1 - available) * MILLIS_PER_MINUTE / perMinute));
  }
}
