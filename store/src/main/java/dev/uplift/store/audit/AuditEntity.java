package dev.uplift.store.audit;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/// A row of `audit`.
@MappedEntity("audit")
record AuditEntity(
    @Id long number,
    String tenant,
    Instant occurredAt,
    String actor,
    String action,
    String target,
    String origin,
    String detail) {

  AuditRow toRow() {
    return new AuditRow(number, occurredAt, new AuditEntry(tenant, actor, action, target, origin, detail));
  }
}
