package dev.uplift.store.audit;

import java.time.Instant;

/// What somebody did, and when.
///
/// @param number rises within the database
public record AuditRow(long number, Instant occurredAt, AuditEntry entry) {}
