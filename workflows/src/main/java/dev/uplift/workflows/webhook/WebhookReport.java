package dev.uplift.workflows.webhook;

import java.time.Duration;
import java.util.Optional;

/// The state of a webhook after events were sent.
///
/// @param enabled false: it is disabled or deleted, and nothing more is sent
/// @param delivered how many events the receiver has accepted
/// @param hasMore whether there may be more to send now
/// @param retryAfter when the receiver may be tried again; empty: it accepts
/// @param message what was done, for people
public record WebhookReport(
    boolean enabled, int delivered, boolean hasMore, Optional<Duration> retryAfter, String message) {
  public static WebhookReport disabled(int delivered, String message) {
    return new WebhookReport(false, delivered, false, Optional.empty(), message);
  }

  public static WebhookReport failing(int delivered, Duration retryAfter, String message) {
    return new WebhookReport(true, delivered, false, Optional.of(retryAfter), message);
  }

  public static WebhookReport accepted(int delivered, boolean hasMore, String message) {
    return new WebhookReport(true, delivered, hasMore, Optional.empty(), message);
  }
}
