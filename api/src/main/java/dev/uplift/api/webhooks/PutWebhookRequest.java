package dev.uplift.api.webhooks;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.webhook.EventFilter;
import dev.uplift.fleet.webhook.ReceiverUrl;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.store.event.TenantEventKind;
import dev.uplift.store.webhook.WebhookSpec;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A webhook to create or to replace.
///
/// @param url where events are sent; everybody of the tenant can read it, so it holds no secret
/// @param description for people
/// @param events kinds such as `upgrade.ended`, groups such as `rollout.*`; none: all events
/// @param enabled absent: a new one is enabled, any other stays as it is
/// @param escalateAfterSeconds after how long a wait for a person, or for a host that is off, is told once more; 0:
///   never
/// @param json as it was sent, to be recorded in the audit
@Introspected
record PutWebhookRequest(
    @Size(min = 1, max = 1000) String url,
    @Bindable(defaultValue = "") @Size(max = 500) String description,
    @Bindable(defaultValue = "[]") @Size(max = 50) List<String> events,
    @Nullable Boolean enabled,
    @Bindable(defaultValue = "0") @Min(0) @Max(2_592_000) int escalateAfterSeconds,
    @JsonIgnore ObjectNode json)
    implements RequestBody {
  @Override
  public void check(BodyErrors errors, Instant now) {
    errors.check("/url", url, ReceiverUrl::parse);
    @Nullable List<String> patterns = events;
    for (int i = 0; patterns != null && i < patterns.size(); i++) {
      if (!patterns.get(i).matches(EventFilter.PATTERN)) {
        errors.add("/events/" + i, "expected a kind such as upgrade.ended, or a group such as rollout.*");
      }
    }
  }

  /// Returns whether the URL has TLS.
  boolean isEncrypted() {
    return ReceiverUrl.parse(url).isEncrypted();
  }

  /// Returns whether a pattern means any event that there is.
  static boolean isKnown(String pattern) {
    return Stream.of(TenantEventKind.values()).anyMatch(kind -> EventFilter.isMatch(pattern, kind.toString()));
  }

  WebhookSpec spec(WebhookId id) {
    return new WebhookSpec(id, url, description, events, escalateAfterSeconds);
  }
}
