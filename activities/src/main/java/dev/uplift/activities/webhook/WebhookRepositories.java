package dev.uplift.activities.webhook;

import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.store.Database;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.webhook.EscalationRepository;
import dev.uplift.store.webhook.WebhookDeliveryRepository;
import dev.uplift.store.webhook.WebhookRepository;
import dev.uplift.store.webhook.WebhookRow;
import jakarta.inject.Singleton;

/// The tables of webhooks.
@Singleton
public record WebhookRepositories(
    Database database,
    WebhookRepository webhooks,
    WebhookDeliveryRepository deliveries,
    EscalationRepository escalations,
    TenantEventRepository events,
    AuditRepository audit) {
  /// Disables a webhook by the server itself, with a line in the audit. Returns false, and writes nothing, if a person
  /// has changed it since it was read: what its receiver said then is not about the webhook as it is now.
  public boolean disable(WebhookRow read, String reason) {
    WebhookId id = read.id();
    return database.inTransaction(() -> {
      boolean isUnchanged = webhooks.lock(id).filter(now -> now.version() == read.version()).isPresent();
      if (!isUnchanged || !webhooks.disable(id, id.actor(), reason)) {
        return false;
      }
      audit.append(new AuditEntry(id.tenant(), id.actor(), "webhook.disable", "webhook/" + id.name(), "", reason));
      return true;
    });
  }
}
