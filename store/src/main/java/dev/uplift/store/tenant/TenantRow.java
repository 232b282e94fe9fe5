package dev.uplift.store.tenant;

import java.time.Instant;

/// A tenant.
///
/// @param title for people; may be empty
public record TenantRow(String name, String title, Instant createdAt) {}
