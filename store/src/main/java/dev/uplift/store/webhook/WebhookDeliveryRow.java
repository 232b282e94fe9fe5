package dev.uplift.store.webhook;

import dev.uplift.fleet.webhook.DeliveryDecision.Failures;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;

/// The progress of a webhook.
///
/// @param position number of the last event that was sent or is not to be sent
/// @param deliveredNumber number of the last event that the receiver has accepted; 0: none
/// @param failures attempts since the last success
/// @param failingSince when the first of them was; empty: the last attempt succeeded
/// @param lastError of the last attempt that failed, for people
@MappedEntity("webhook_delivery")
public record WebhookDeliveryRow(
    @Id String tenant,
    @Id String webhook,
    long position,
    long deliveredNumber,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> deliveredAt,
    int failures,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> failingSince,
    @MappedProperty(converter = TextColumn.class) Optional<String> lastError,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> lastErrorAt) {
  /// Returns what failed since the last success.
  public Failures failuresInARow() {
    return new Failures(failures, failingSince);
  }
}
