package dev.uplift.workflows.webhook;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/// The work of a webhook.
@ActivityInterface
public interface WebhookSteps {
  /// Sends the next events, one after the other in the order of their numbers, until one is not accepted, none is left,
  /// or there were many. Returns how the webhook stands then; fails only if the tables cannot be reached.
  ///
  /// Safe to repeat: it continues after the last event whose acceptance is recorded, so at most one event is sent
  /// again, with the id that it had.
  @ActivityMethod(name = "deliver-events")
  WebhookReport deliver(WebhookInput input);
}
