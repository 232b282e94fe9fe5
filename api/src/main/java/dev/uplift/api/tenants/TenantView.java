package dev.uplift.api.tenants;

import dev.uplift.store.tenant.TenantRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/// A tenant as clients see it.
@Serdeable
record TenantView(String tenant, String title, Instant createdAt) {
  static TenantView of(TenantRow row) {
    return new TenantView(row.name(), row.title(), row.createdAt());
  }
}
