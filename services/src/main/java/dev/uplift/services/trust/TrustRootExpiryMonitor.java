package dev.uplift.services.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.TrustRoot;
import dev.uplift.services.enrolment.EnrolmentSettings;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.trust.TrustRootRepository;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Warns before trust roots expire and of JWTs that are not renewed. The metrics name no tenant; the log does, once a
/// day.
@Singleton
public final class TrustRootExpiryMonitor {
  private static final Logger LOG = LoggerFactory.getLogger(TrustRootExpiryMonitor.class);
  private static final Duration DAILY = Duration.ofDays(1);

  /// A JWT is renewed every day. After a week without, its host is off or cannot.
  private static final Duration RENEWAL_OVERDUE = Duration.ofDays(7);

  private final TrustRootRepository trustRoots;
  private final EnrolmentRepository enrolments;
  private final InstantSource clock;
  private volatile TrustRootExpiryReport report = new TrustRootExpiryReport(Optional.empty(), List.of());
  private volatile long notRenewed;
  private Instant loggedAt = Instant.EPOCH;

  public TrustRootExpiryMonitor(
      TrustRootRepository trustRoots, EnrolmentRepository enrolments, InstantSource clock, MeterRegistry meters) {
    this.trustRoots = trustRoots;
    this.enrolments = enrolments;
    this.clock = clock;
    Gauge.builder("uplift.trust.root.expires.in", this, TrustRootExpiryMonitor::secondsUntilFirstExpiry)
        .baseUnit("seconds")
        .description("until the first trust root of a tenant expires")
        .register(meters);
    Gauge.builder("uplift.trust.roots.expiring", this, each -> each.report.expiringSoon().size())
        .description("trust roots that expire within 30 days, or have expired")
        .register(meters);
    Gauge.builder("uplift.host.jwts.not.renewed", this, each -> each.notRenewed)
        .description("hosts with a valid JWT that was not renewed for a week")
        .register(meters);
  }

  private double secondsUntilFirstExpiry() {
    return report
        .firstExpiry()
        .map(end -> (double) Duration.between(clock.instant(), end).toSeconds())
        .orElse(Double.NaN);
  }

  /// Checks the expiry. To be called periodically.
  public void check() {
    Instant now = clock.instant();
    report = TrustRootExpiryReport.of(trustRoots.findNewest().stream().map(row -> read(row.document())).toList(), now);
    notRenewed = enrolments.countExpiring(now.plus(EnrolmentSettings.JWT_LIFETIME).minus(RENEWAL_OVERDUE));
    if (now.isAfter(loggedAt.plus(DAILY))) {
      report.warnings(now).forEach(LOG::warn);
      loggedAt = now;
    }
  }

  private static TrustRoot read(String text) {
    return TrustRoot.read(text.getBytes(UTF_8));
  }
}
