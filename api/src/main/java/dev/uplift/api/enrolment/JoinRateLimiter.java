package dev.uplift.api.enrolment;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.settings.JoinRateLimits;
import dev.uplift.api.settings.RequiresApiRole;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Limits requests without a bearer token, per address and in total. Rejected ones, such as guessed tokens, cost more.
@RequiresApiRole
@Singleton
final class JoinRateLimiter {
  /// The cost of a rejected request, in addition to the one of every request.
  static final int REJECTION_COST = 19;

  /// Upper bound of remembered addresses. A client with more of them is limited by the total.
  static final int MAX_ADDRESSES = 10_000;

  private static final int IPV6_PREFIX_GROUPS = 4;

  private final JoinRateLimits limits;
  private final InstantSource clock;
  private final MeterRegistry meters;

  /// The least recently used one first.
  private final Map<String, TokenBucket> bucketsByNetwork = new LinkedHashMap<>(16, 0.75f, true);

  private TokenBucket globalBucket;

  JoinRateLimiter(JoinRateLimits limits, InstantSource clock, MeterRegistry meters) {
    this.limits = limits;
    this.clock = clock;
    this.meters = meters;
    this.globalBucket = TokenBucket.full(limits.perMinute(), clock.instant());
  }

  /// Admits one request.
  ///
  /// @throws ProblemException if there were too many
  void acquire(String address) {
    Duration wait = tryAcquire(networkOf(address));
    if (wait.isPositive()) {
      countRejection("rate-limited");
      throw ProblemException.of(
              HttpStatus.TOO_MANY_REQUESTS,
              "too many requests of hosts; nothing was done, try again with the same token")
          .withHeader("Retry-After", Long.toString(wait.plusMillis(999).toSeconds()));
    }
  }

  /// Records that a request was rejected.
  ///
  /// @param cost in addition to the one of every request
  /// @param code of the reason
  synchronized void recordRejection(String address, int cost, String code) {
    String source = networkOf(address);
    storeBucket(source, bucketOf(source, clock.instant()).consume(cost));
    countRejection(code);
  }

  private synchronized Duration tryAcquire(String source) {
    Instant now = clock.instant();
    TokenBucket one = bucketOf(source, now);
    globalBucket = globalBucket.asOf(now);
    if (!one.canConsume() || !globalBucket.canConsume()) {
      Duration wait = one.canConsume() ? globalBucket.timeUntilAvailable() : one.timeUntilAvailable();
      return wait.isPositive() ? wait : Duration.ofMillis(1);
    }
    globalBucket = globalBucket.consume(1);
    storeBucket(source, one.consume(1));
    return Duration.ZERO;
  }

  private TokenBucket bucketOf(String source, Instant now) {
    TokenBucket known = bucketsByNetwork.get(source);
    return known == null ? TokenBucket.full(limits.perMinuteAndAddress(), now) : known.asOf(now);
  }

  private void storeBucket(String source, TokenBucket left) {
    bucketsByNetwork.put(source, left);
    if (bucketsByNetwork.size() > MAX_ADDRESSES) {
      bucketsByNetwork.remove(bucketsByNetwork.keySet().iterator().next());
    }
  }

  private void countRejection(String code) {
    meters.counter("uplift.enrolments.rejected", "code", code).increment();
  }

  synchronized int trackedAddresses() {
    return bucketsByNetwork.size();
  }

  /// Returns the network of an IPv6 address, because a client usually has all addresses of one.
  private static String networkOf(String address) {
    String[] parts = address.split(":", -1);
    return parts.length <= IPV6_PREFIX_GROUPS
        ? address
        : String.join(":", List.of(parts).subList(0, IPV6_PREFIX_GROUPS));
  }
}
