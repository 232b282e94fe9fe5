package dev.uplift.services.messaging;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts messages that were rejected. One a minute of a kind from a sender is logged with the reason, without its
/// content, and at most [#MAX_LOGGED] a minute in all, so that no sender can fill the log.
@Singleton
public final class RejectedMessages {
  private static final Logger LOG = LoggerFactory.getLogger(RejectedMessages.class);
  static final int MAX_LOGGED = 10;

  private static final List<String> KINDS = List.of("event", "heartbeat", "info");

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final MeterRegistry meters;
  private final LongSupplier nanos;
  private final Set<String> logged = new HashSet<>();
  private long minuteEnds;

  @Inject
  public RejectedMessages(MeterRegistry meters) {
    this(meters, System::nanoTime);
  }

  RejectedMessages(MeterRegistry meters, LongSupplier nanos) {
    this.meters = meters;
    this.nanos = nanos;
    this.minuteEnds = nanos.getAsLong() + MINUTE;
    // A rate is known from the first one on.
    KINDS.forEach(this::counter);
  }

  /// Counts the message.
  ///
  /// @param kind of message
  /// @param subject that it came on
  /// @param why the expected content; the found content, after a comma, is not logged
  public void record(String kind, String subject, @Nullable String why) {
    counter(kind).increment();
    if (isToBeLogged(kind + " " + subject)) {
      LOG.warn(
          "rejected {} on {}: {}; more of this kind within the minute are only counted",
          kind,
          subject,
          why == null ? "unreadable" : why.replaceFirst(",.*", ""));
    }
  }

  private Counter counter(String kind) {
    return Counter.builder("uplift.messages.rejected")
        .description("messages that were not acted upon")
        .tag("kind", kind)
        .register(meters);
  }

  private synchronized boolean isToBeLogged(String sender) {
    long now = nanos.getAsLong();
    if (now - minuteEnds >= 0) {
      logged.clear();
      minuteEnds = now + MINUTE;
    }
    return logged.size() < MAX_LOGGED && logged.add(sender);
  }
}
