package dev.uplift.api.tenants;

import dev.uplift.store.tenant.TenantRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A tenant as clients see it.
///
/// @param deletedAt absent: it exists
/// @param removedAt when nothing but its audit was left; absent: it exists, or is being removed
@Serdeable
record TenantView(
    String tenant, String title, Instant createdAt, @Nullable Instant deletedAt, @Nullable Instant removedAt) {
  static TenantView of(TenantRow row) {
    return new TenantView(row.name(), row.title(), row.createdAt(), row.deletedAt(), row.removedAt());
  }
}
