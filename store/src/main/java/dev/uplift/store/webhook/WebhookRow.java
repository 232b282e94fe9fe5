package dev.uplift.store.webhook;

import dev.uplift.fleet.webhook.EventFilter;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A webhook as it is now.
///
/// @param events patterns of kinds; none: all events
/// @param escalateAfterSeconds after how long a wait for a person is told once more; 0: never
/// @param secret encrypted
/// @param previousSecret encrypted; signs as well until `previousSecretUntil`
/// @param disabledBy who disabled it, `webhook NAME` if the server did; empty while it is enabled
/// @param version rises with every change by a person; from 1
@MappedEntity("webhook")
public record WebhookRow(
    @Id String tenant,
    @Id String name,
    String url,
    @MappedProperty(converter = TextColumn.class) String description,
    @MappedProperty(converter = TextColumn.class) List<String> events,
    long escalateAfterSeconds,
    boolean enabled,
    String secret,
    @MappedProperty(converter = TextColumn.class) Optional<String> previousSecret,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> previousSecretUntil,
    @MappedProperty(converter = TextColumn.class) Optional<String> disabledBy,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> disabledAt,
    @MappedProperty(converter = TextColumn.class) Optional<String> disabledReason,
    long version,
    String createdBy,
    Instant createdAt,
    String changedBy,
    Instant changedAt) {
  public WebhookId id() {
    return new WebhookId(tenant, name);
  }

  /// Returns which events it receives.
  public EventFilter filter() {
    return new EventFilter(events);
  }

  /// Hides the secrets.
  @Override
  public String toString() {
    return "webhook " + tenant + "/" + name;
  }
}
