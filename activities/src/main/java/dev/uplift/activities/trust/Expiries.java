package dev.uplift.activities.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.enrolment.EnrolmentSettings;
import dev.uplift.protocol.Root;
import dev.uplift.store.Enrolments;
import dev.uplift.store.Roots;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Warns before something ends by itself: roots, and tickets that are not renewed. Figures name no
/// tenant; the log does, once a day.
public final class Expiries {
  private static final Logger LOG = LoggerFactory.getLogger(Expiries.class);
  private static final Duration DAILY = Duration.ofDays(1);

  /// A ticket is renewed every day. After a week without, its host is off, or cannot.
  private static final Duration NOT_RENEWED = Duration.ofDays(7);

  private final Roots roots;
  private final Enrolments enrolments;
  private final InstantSource clock;
  private volatile Outlook outlook = new Outlook(Optional.empty(), List.of());
  private volatile long notRenewed;
  private Instant toldAt = Instant.EPOCH;

  public Expiries(Roots roots, Enrolments enrolments, InstantSource clock, MeterRegistry meters) {
    this.roots = roots;
    this.enrolments = enrolments;
    this.clock = clock;
    Gauge.builder("uplift.root.expires.in", this, Expiries::firstEnds)
        .baseUnit("seconds")
        .description("until the first root of a tenant ends")
        .register(meters);
    Gauge.builder("uplift.roots.expiring", this, each -> each.outlook.soon().size())
        .description("roots that end within 30 days, or have ended")
        .register(meters);
    Gauge.builder("uplift.tickets.not.renewed", this, each -> each.notRenewed)
        .description("hosts whose ticket is good and was not renewed for a week")
        .register(meters);
  }

  private double firstEnds() {
    return outlook
        .first()
        .map(end -> (double) Duration.between(clock.instant(), end).toSeconds())
        .orElse(Double.NaN);
  }

  /// To be called again and again.
  public void look() {
    Instant now = clock.instant();
    outlook = Outlook.of(roots.newest().stream().map(row -> read(row.text())).toList(), now);
    notRenewed = enrolments.ending(now.plus(EnrolmentSettings.TICKET).minus(NOT_RENEWED));
    if (now.isAfter(toldAt.plus(DAILY))) {
      outlook.warnings(now).forEach(LOG::warn);
      toldAt = now;
    }
  }

  private static Root read(String text) {
    return Root.read(text.getBytes(UTF_8));
  }
}
