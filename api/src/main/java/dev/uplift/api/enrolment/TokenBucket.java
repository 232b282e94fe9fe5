package dev.uplift.api.enrolment;

import java.time.Duration;
import java.time.Instant;

/// A budget of requests that is refilled with time, up to that of one minute.
///
/// @param perMinute the requests that one minute adds, which is also the capacity
/// @param available at that time; negative if more was consumed than there was
record TokenBucket(int perMinute, double available, Instant asOf) {
  private static final double MILLIS_PER_MINUTE = 60_000;

  static TokenBucket full(int perMinute, Instant now) {
    return new TokenBucket(perMinute, perMinute, now);
  }

  /// Returns the bucket at a later time.
  TokenBucket asOf(Instant now) {
    long passed = Math.max(0, Duration.between(asOf, now).toMillis());
    return new TokenBucket(perMinute, Math.min(perMinute, available + passed * perMinute / MILLIS_PER_MINUTE), now);
  }

  /// Consumes the cost, down to the negative capacity at most.
  TokenBucket consume(int cost) {
    return new TokenBucket(perMinute, Math.max(-perMinute, available - cost), asOf);
  }

  boolean canConsume() {
    return available >= 1;
  }

  /// Returns whether nothing is consumed.
  boolean isFull() {
    return available >= perMinute;
  }

  /// Returns how long until a request may be consumed.
  Duration timeUntilAvailable() {
    return Duration.ofMillis((long) Math.ceil(Math.max(0, 1 - available) * MILLIS_PER_MINUTE / perMinute));
  }
}
