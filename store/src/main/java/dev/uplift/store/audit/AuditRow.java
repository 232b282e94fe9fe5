package dev.uplift.store.audit;

import java.time.Instant;

/// An action of an operator, and its time.
///
/// @param number rises within the database
public record AuditRow(long number, Instant occurredAt, AuditEntry entry) {}
