package dev.uplift.store.tenant;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A tenant.
///
/// @param title for people; may be empty
/// @param allowHoldOverride whether a person may override what the owners of its hosts hold
/// @param deletedAt null: it exists
/// @param removedAt when nothing but its audit was left; null: it exists, or is being removed
@MappedEntity("tenant")
public record TenantRow(
    @Id String name,
    String title,
    boolean allowHoldOverride,
    Instant createdAt,
    @Nullable Instant deletedAt,
    @Nullable Instant removedAt) {}
