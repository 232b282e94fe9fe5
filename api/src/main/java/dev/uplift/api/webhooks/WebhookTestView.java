package dev.uplift.api.webhooks;

import dev.uplift.fleet.webhook.DeliveryAttempt.Answered;
import dev.uplift.services.webhook.WebhookResponse;
import io.micronaut.serde.annotation.Serdeable;
import java.util.Optional;

/// The answer of a receiver to a test.
///
/// @param accepted whether it accepted the test
/// @param status of its answer; absent if there was none
/// @param message what happened, for people
/// @param body the beginning of its answer
@Serdeable
record WebhookTestView(boolean accepted, Optional<Integer> status, String message, Optional<String> body) {
  static WebhookTestView of(WebhookResponse response) {
    return new WebhookTestView(
        response.attempt().isAccepted(),
        response.attempt() instanceof Answered answer ? Optional.of(answer.status()) : Optional.empty(),
        response.attempt().describe(),
        Optional.of(response.text()).filter(text -> !text.isEmpty()));
  }

  static WebhookTestView notSent() {
    return new WebhookTestView(
        false, Optional.empty(), "nothing was sent, because the request is only validated", Optional.empty());
  }
}
