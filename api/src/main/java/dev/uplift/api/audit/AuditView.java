package dev.uplift.api.audit;

import dev.uplift.store.audit.AuditRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/// An entry of the audit log: one change and its author.
///
/// @param action a word such as `device.put`
/// @param target such as `device/gate`
/// @param origin the address that the request came from; and, after a space, `token/` and the id if a script sent it,
///   for the actor
/// @param detail JSON or a text; may be empty
@Serdeable
record AuditView(
    long number, Instant occurredAt, String actor, String action, String target, String origin, String detail) {
  static AuditView of(AuditRow row) {
    var entry = row.entry();
    return new AuditView(
        row.number(), row.occurredAt(), entry.actor(), entry.action(), entry.target(), entry.origin(), entry.detail());
  }
}
