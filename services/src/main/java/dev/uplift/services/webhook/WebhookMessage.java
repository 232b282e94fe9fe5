package dev.uplift.services.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.services.event.TenantEventJson;
import dev.uplift.store.event.TenantEventRow;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// A message to the receiver of a webhook.
///
/// @param id without a full stop. Of an event it is the same at each attempt, so a receiver knows what it has seen
/// @param body JSON: `type`, `timestamp`, and the event as `data`
public record WebhookMessage(String id, String body) {
  /// The type of messages that are sent to see whether the receiver gets them.
  public static final String TEST_TYPE = "webhook.test";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final int ID_BYTES = 16;

  /// Returns the message that tells a webhook of an event.
  public static WebhookMessage of(WebhookId webhook, TenantEventRow event) {
    // With the time, because tables that are restored from an older copy give numbers again.
    String unique = "%s/%s/%d/%s".formatted(webhook.tenant(), webhook.name(), event.number(), event.occurredAt());
    return new WebhookMessage(id(unique), body(event.kind(), event.occurredAt(), TenantEventJson.of(event)));
  }

  /// Returns a message that tells of nothing.
  public static WebhookMessage test(WebhookId webhook, String actor, Instant now) {
    ObjectNode data =
        MAPPER
            .createObjectNode()
            .put("kind", TEST_TYPE)
            .put("occurred_at", now.toString())
            .put("webhook", webhook.name())
            .put("message", "a test of this webhook")
            .put("actor", actor);
    return new WebhookMessage(id(UUID.randomUUID().toString()), body(TEST_TYPE, now, data));
  }

  private static String body(String type, Instant timestamp, ObjectNode data) {
    ObjectNode json = MAPPER.createObjectNode().put("type", type).put("timestamp", timestamp.toString());
    json.set("data", data);
    return json.toString();
  }

  private static String id(String unique) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(unique.getBytes(UTF_8));
      return "msg_" + HexFormat.of().formatHex(digest, 0, ID_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
