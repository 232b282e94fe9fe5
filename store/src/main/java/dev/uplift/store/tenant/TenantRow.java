package dev.uplift.store.tenant;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/// A tenant.
///
/// @param title for people; may be empty
@MappedEntity("tenant")
public record TenantRow(@Id String name, String title, Instant createdAt) {}
