package dev.uplift.fleet.webhook;

import dev.uplift.fleet.NameRule;

/// A webhook of a tenant. Rejects names that are invalid in a workflow id.
public record WebhookId(String tenant, String name) {
  public WebhookId {
    NameRule.TENANT.requireValid(tenant);
    NameRule.WEBHOOK.requireValid(name);
  }

  /// The actor that is recorded when the server changes the webhook by itself.
  public String actor() {
    return "webhook " + name;
  }

  @Override
  public String toString() {
    return tenant + "/" + name;
  }
}
