package dev.uplift.api.enrolment;

import dev.uplift.api.problem.Refusal;
import dev.uplift.api.settings.ForApi;
import dev.uplift.api.settings.JoinLimits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.http.HttpStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// How often hosts may ask without a token: those of each address, and all together. Who tries
/// tokens may do so less often.
@ForApi
@Singleton
final class Turnstile {
  /// What a wrong request costs, beside the one that each costs.
  static final int WRONG = 19;

  /// Addresses that are remembered. Who has more of them meets the bound of all together.
  static final int MOST_ADDRESSES = 10_000;

  private static final int PARTS_OF_A_NETWORK = 4;

  private final JoinLimits limits;
  private final InstantSource clock;
  private final MeterRegistry meters;

  /// The one that was used longest ago comes first.
  private final Map<String, Allowance> addresses = new LinkedHashMap<>(16, 0.75f, true);

  private Allowance all;

  Turnstile(JoinLimits limits, InstantSource clock, MeterRegistry meters) {
    this.limits = limits;
    this.clock = clock;
    this.meters = meters;
    this.all = Allowance.whole(limits.perMinute(), clock.instant());
  }

  /// Takes one request.
  ///
  /// @throws Refusal where there were too many
  void enter(String address) {
    Duration wait = taken(source(address));
    if (wait.isPositive()) {
      refused("too-many");
      throw Refusal.of(
              HttpStatus.TOO_MANY_REQUESTS,
              "too many hosts ask at once; nothing was done, try again with the same token")
          .with("Retry-After", Long.toString(wait.plusMillis(999).toSeconds()));
    }
  }

  /// A request was refused.
  ///
  /// @param cost of it beyond the one
  /// @param code why
  synchronized void refuse(String address, int cost, String code) {
    String source = source(address);
    remember(source, of(source, clock.instant()).less(cost));
    refused(code);
  }

  private synchronized Duration taken(String source) {
    Instant now = clock.instant();
    Allowance one = of(source, now);
    all = all.at(now);
    if (!one.isEnough() || !all.isEnough()) {
      Duration wait = one.isEnough() ? all.untilEnough() : one.untilEnough();
      return wait.isPositive() ? wait : Duration.ofMillis(1);
    }
    all = all.less(1);
    remember(source, one.less(1));
    return Duration.ZERO;
  }

  private Allowance of(String source, Instant now) {
    Allowance known = addresses.get(source);
    return known == null ? Allowance.whole(limits.perAddress(), now) : known.at(now);
  }

  private void remember(String source, Allowance left) {
    addresses.put(source, left);
    if (addresses.size() > MOST_ADDRESSES) {
      addresses.remove(addresses.keySet().iterator().next());
    }
  }

  private void refused(String code) {
    meters.counter("uplift.enrolments.refused", "code", code).increment();
  }

  synchronized int remembered() {
    return addresses.size();
  }

  /// Of IPv6 the network: whoever has an address has all others of it.
  private static String source(String address) {
    String[] parts = address.split(":", -1);
    return parts.length <= PARTS_OF_A_NETWORK
        ? address
        : String.join(":", List.of(parts).subList(0, PARTS_OF_A_NETWORK));
  }
}
