package dev.uplift.services.event;

import dev.uplift.store.event.TenantEventRow;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// An event of a tenant as JSON, the same in event streams and in webhooks. What does not apply to its kind is absent.
/// Fields may be added, none removed or renamed.
public final class TenantEventJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private TenantEventJson() {}

  /// Returns the event as an object.
  public static ObjectNode of(TenantEventRow row) {
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("number", row.number())
            .put("kind", row.kind())
            .put("occurred_at", row.occurredAt().toString());
    put(json, "rollout", row.rollout());
    put(json, "upgrade", row.upgrade());
    put(json, "device", row.device());
    put(json, "package", row.packageName());
    put(json, "version", row.version());
    put(json, "result", row.result());
    if (row.wave() > 0) {
      json.put("wave", row.wave());
    }
    put(json, "message", row.message());
    put(json, "actor", row.actor());
    put(json, "until", row.untilAt());
    put(json, "barrier", row.barrier());
    put(json, "webhook", row.webhook());
    return json;
  }

  private static void put(ObjectNode json, String field, Optional<?> value) {
    value.ifPresent(found -> json.put(field, found.toString()));
  }
}
