package dev.uplift.api.enrolment;

import dev.uplift.api.problem.ProblemException;
import dev.uplift.api.settings.JoinRateLimits;
import dev.uplift.api.settings.RequiresApiRole;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Limits requests without a bearer token. Strangers have a budget per network and one in total; rejected requests,
/// such as guessed tokens, cost more. Hosts that have signed with a valid key have a budget of their own, so that
/// strangers cannot keep them from renewing. Joins that have succeeded count against their tenant.
@RequiresApiRole
@Singleton
final class JoinRateLimiter {
  /// The cost of a rejected request, in addition to the one of every request.
  static final int REJECTION_COST = 19;

  /// Upper bound of remembered addresses, and of remembered keys. A client with more of them is limited by the total.
  static final int MAX_SOURCES = 10_000;

  /// Requests of one host per minute. A renewal takes two, with another key four.
  static final int PER_MINUTE_AND_KEY = 60;

  /// A stranger's key is looked up in the database, at most so many times the requests that are answered.
  private static final int LOOKUPS_PER_REQUEST = 10;

  /// One tenant may have this part of all joins.
  private static final int PART_OF_TENANT = 2;

  private static final int IPV6_PREFIX_GROUPS = 4;
  private static final String RATE_LIMITED = "rate-limited";
  private static final List<String> WATCHED_CODES = List.of(RATE_LIMITED, "token-unknown");

  private final InstantSource clock;
  private final MeterRegistry meters;
  private final Budget strangers;
  private final Budget hosts;
  private final Budget lookups;
  private final Budget tenants;

  JoinRateLimiter(JoinRateLimits limits, InstantSource clock, MeterRegistry meters) {
    this.clock = clock;
    this.meters = meters;
    Instant now = clock.instant();
    int perMinute = limits.perMinute();
    this.strangers = new Budget(perMinute, limits.perMinuteAndAddress(), now);
    this.hosts = new Budget(perMinute, PER_MINUTE_AND_KEY, now);
    this.lookups = new Budget(perMinute * LOOKUPS_PER_REQUEST, limits.perMinuteAndAddress(), now);
    this.tenants = new Budget(perMinute, Math.max(1, perMinute / PART_OF_TENANT), now);
    // A rate is known from the first one on.
    WATCHED_CODES.forEach(this::counter);
  }

  /// Admits one request of a stranger.
  ///
  /// @throws ProblemException if there were too many
  void acquire(String address) {
    require(consume(strangers, networkOf(address)));
  }

  /// Admits one request of a host that has shown a key that counts.
  ///
  /// @throws ProblemException if there were too many
  void acquireOfHost(String key) {
    require(consume(hosts, key));
  }

  /// Returns whether the key of a stranger may be looked up.
  synchronized boolean tryLookUp(String address) {
    return lookups.consume(networkOf(address), clock.instant()).isZero();
  }

  /// Refuses a join while the tenant has had its part of them.
  ///
  /// @throws ProblemException if there were too many
  void requirePartOf(String tenant) {
    require(waitOf(tenant));
  }

  /// Records a join that has succeeded.
  synchronized void recordJoin(String tenant) {
    tenants.charge(tenant, 1, clock.instant());
  }

  /// Records that a request was rejected.
  ///
  /// @param cost in addition to the one of every request
  /// @param code of the reason
  synchronized void recordRejection(String address, int cost, String code) {
    strangers.charge(networkOf(address), cost, clock.instant());
    countRejection(code);
  }

  private synchronized Duration consume(Budget budget, String source) {
    return budget.consume(source, clock.instant());
  }

  private synchronized Duration waitOf(String tenant) {
    return tenants.timeUntilAvailable(tenant, clock.instant());
  }

  private void require(Duration wait) {
    if (wait.isPositive()) {
      countRejection(RATE_LIMITED);
      throw ProblemException.of(
              HttpStatus.TOO_MANY_REQUESTS,
              "too many requests of hosts; nothing was done, try again with the same token")
          .withHeader("Retry-After", Long.toString(wait.plusMillis(999).toSeconds()));
    }
  }

  private void countRejection(String code) {
    counter(code).increment();
  }

  private Counter counter(String code) {
    return Counter.builder("uplift.enrolments.rejected")
        .description("hosts that were rejected")
        .tag("code", code)
        .register(meters);
  }

  synchronized int trackedAddresses() {
    return strangers.bySource.size();
  }

  /// Returns the network of an IPv6 address, because a client usually has all addresses of one.
  private static String networkOf(String address) {
    String[] parts = address.split(":", -1);
    return parts.length <= IPV6_PREFIX_GROUPS
        ? address
        : String.join(":", List.of(parts).subList(0, IPV6_PREFIX_GROUPS));
  }

  /// Limits each source, and all of them together.
  private static final class Budget {
    private final int perSource;

    /// The least recently used one first.
    private final Map<String, TokenBucket> bySource = new LinkedHashMap<>(16, 0.75f, true);

    private TokenBucket all;

    Budget(int perMinute, int perSource, Instant now) {
      this.perSource = perSource;
      this.all = TokenBucket.full(perMinute, now);
    }

    /// Consumes one if there is one, and returns how long there is none.
    private Duration consume(String source, Instant now) {
      Duration wait = timeUntilAvailable(source, now);
      if (wait.isZero()) {
        all = all.consume(1);
        charge(source, 1, now);
      }
      return wait;
    }

    private Duration timeUntilAvailable(String source, Instant now) {
      TokenBucket one = bucketOf(source, now);
      all = all.asOf(now);
      if (one.canConsume() && all.canConsume()) {
        return Duration.ZERO;
      }
      Duration wait = one.canConsume() ? all.timeUntilAvailable() : one.timeUntilAvailable();
      return wait.isPositive() ? wait : Duration.ofMillis(1);
    }

    /// Takes from what the source has, whether it has it or not.
    private void charge(String source, int cost, Instant now) {
      bySource.put(source, bucketOf(source, now).consume(cost));
      if (bySource.size() > MAX_SOURCES) {
        bySource.remove(bySource.keySet().iterator().next());
      }
    }

    private TokenBucket bucketOf(String source, Instant now) {
      TokenBucket known = bySource.get(source);
      return known == null ? TokenBucket.full(perSource, now) : known.asOf(now);
    }
  }
}
