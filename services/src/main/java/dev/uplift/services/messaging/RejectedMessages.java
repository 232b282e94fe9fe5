package dev.uplift.services.messaging;

import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts messages that were rejected. The first of a kind from a sender is logged, without its content, so that no
/// sender can fill the log.
@Singleton
public final class RejectedMessages {
  private static final Logger LOG = LoggerFactory.getLogger(RejectedMessages.class);
  private static final int MAX_LOGGED = 1000;

  private final MeterRegistry meters;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  public RejectedMessages(MeterRegistry meters) {
    this.meters = meters;
  }

  /// Counts the message.
  ///
  /// @param kind of message
  /// @param subject that it came on
  /// @param why the expected content; the found content, after a comma, is not logged
  public void record(String kind, String subject, @Nullable String why) {
    meters.counter("uplift.messages.rejected", "kind", kind).increment();
    if (logged.size() < MAX_LOGGED && logged.add(kind + " " + subject)) {
      LOG.warn(
          "rejected {} on {}: {}; more of this kind are only counted",
          kind,
          subject,
          why == null ? "unreadable" : why.replaceFirst(",.*", ""));
    }
  }
}
