package dev.uplift.activities.metrics;

import dev.uplift.fleet.webhook.DeliveryAttempt;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;

/// Counts what this server has sent to webhooks.
@Singleton
public final class WebhookMetrics {
  private final Counter accepted;
  private final Counter failed;
  private final Counter disabled;

  public WebhookMetrics(MeterRegistry meters) {
    this.accepted = attempts(meters, "accepted");
    this.failed = attempts(meters, "failed");
    this.disabled =
        Counter.builder("uplift.webhook.disabled")
            .description("webhooks that this server has disabled, because their receiver accepted nothing for long")
            .register(meters);
  }

  private static Counter attempts(MeterRegistry meters, String result) {
    return Counter.builder("uplift.webhook.deliveries")
        .description("events sent to webhooks, each attempt")
        .tag("result", result)
        .register(meters);
  }

  /// Counts an attempt to deliver an event.
  public void countAttempt(DeliveryAttempt attempt) {
    (attempt.isAccepted() ? accepted : failed).increment();
  }

  /// Counts a webhook that the server has disabled by itself.
  public void countDisabled() {
    disabled.increment();
  }
}
