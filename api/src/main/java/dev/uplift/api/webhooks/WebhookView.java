package dev.uplift.api.webhooks;

import dev.uplift.store.webhook.WebhookDeliveryRow;
import dev.uplift.store.webhook.WebhookRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A webhook, and how far it is.
///
/// @param events kinds and groups of them; none: all events
/// @param escalateAfterSeconds after how long a wait for a person, or for a host that is off, is told once more; 0:
///   never
/// @param secret by which the receiver verifies signatures; shown this once, when the webhook is created
/// @param previousSecretUntil until when the secret before signs as well
/// @param disabledBy who disabled it: a person, or `webhook NAME` for the server itself
/// @param position number of the last event that was sent, or is not to be sent
/// @param lastDeliveredEvent number of the last event that the receiver has accepted
/// @param failures attempts since the receiver accepted one
/// @param failingSince when the first of them was
/// @param lastError of the last attempt that failed, for people
/// @param version rises with every change; also the ETag
@Serdeable
record WebhookView(
    String name,
    String url,
    String description,
    List<String> events,
    long escalateAfterSeconds,
    boolean enabled,
    Optional<String> secret,
    Optional<Instant> previousSecretUntil,
    Optional<String> disabledBy,
    Optional<Instant> disabledAt,
    Optional<String> disabledReason,
    long position,
    Optional<Long> lastDeliveredEvent,
    Optional<Instant> lastDeliveredAt,
    int failures,
    Optional<Instant> failingSince,
    Optional<String> lastError,
    Optional<Instant> lastErrorAt,
    long version,
    String createdBy,
    Instant createdAt,
    String changedBy,
    Instant changedAt) {
  static WebhookView of(WebhookRow row, WebhookDeliveryRow delivery, Optional<String> secret) {
    return new WebhookView(
        row.name(),
        row.url(),
        row.description(),
        row.events(),
        row.escalateAfterSeconds(),
        row.enabled(),
        secret,
        row.previousSecretUntil(),
        row.disabledBy(),
        row.disabledAt(),
        row.disabledReason().filter(reason -> !reason.isEmpty()),
        delivery.position(),
        Optional.of(delivery.deliveredNumber()).filter(number -> number > 0),
        delivery.deliveredAt(),
        delivery.failures(),
        delivery.failingSince(),
        delivery.lastError(),
        delivery.lastErrorAt(),
        row.version(),
        row.createdBy(),
        row.createdAt(),
        row.changedBy(),
        row.changedAt());
  }

  /// Hides the secret.
  @Override
  public String toString() {
    return "webhook " + name;
  }
}
