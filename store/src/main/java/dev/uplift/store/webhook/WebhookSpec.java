package dev.uplift.store.webhook;

import dev.uplift.fleet.webhook.WebhookId;
import java.util.List;

/// The specification of a webhook.
///
/// @param events patterns of kinds; none: all events
/// @param escalateAfterSeconds after how long a wait for a person is told once more; 0: never
public record WebhookSpec(
    WebhookId id, String url, String description, List<String> events, long escalateAfterSeconds) {
  public WebhookSpec {
    events = List.copyOf(events);
  }
}
