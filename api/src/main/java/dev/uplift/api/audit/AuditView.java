package dev.uplift.api.audit;

import dev.uplift.store.AuditRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/// A thing that somebody did.
@Serdeable
record AuditView(
    long number, Instant at, String who, String action, String target, String from, String detail) {
  static AuditView of(AuditRow row) {
    var entry = row.entry();
    return new AuditView(
        row.number(),
        row.at(),
        entry.who(),
        entry.action(),
        entry.target(),
        entry.from(),
        entry.detail());
  }
}
