package dev.uplift.store;

import java.time.Instant;

/// What somebody did, and when.
///
/// @param number rises within the database
public record AuditRow(long number, Instant at, AuditEntry entry) {}
