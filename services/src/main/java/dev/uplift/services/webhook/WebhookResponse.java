package dev.uplift.services.webhook;

import dev.uplift.fleet.webhook.DeliveryAttempt;
import java.time.Duration;
import java.util.Optional;

/// The response of a receiver to a message, or the reason why there is none.
///
/// @param text the beginning of the body of the answer
public record WebhookResponse(DeliveryAttempt attempt, String text) {
  static WebhookResponse answered(int status, Optional<Duration> retryAfter, String text) {
    return new WebhookResponse(new DeliveryAttempt.Answered(status, retryAfter), text);
  }

  /// @param reason for people
  static WebhookResponse unanswered(String reason) {
    return new WebhookResponse(new DeliveryAttempt.Unanswered(reason), "");
  }
}
