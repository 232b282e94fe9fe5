package dev.uplift.api.tenants;

import dev.uplift.store.tenant.TenantRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A tenant as clients see it.
///
/// @param allowHoldOverride whether a person may override what the owners of its hosts hold
/// @param deletedAt absent: it exists
/// @param removedAt when nothing but its audit was left; absent: it exists, or is being removed
@Serdeable
record TenantView(
    String tenant,
    String title,
    boolean allowHoldOverride,
    Instant createdAt,
    @Nullable Instant deletedAt,
    @Nullable Instant removedAt) {
  static TenantView of(TenantRow row) {
    return new TenantView(
        row.name(), row.title(), row.allowHoldOverride(), row.createdAt(), row.deletedAt(), row.removedAt());
  }
}
