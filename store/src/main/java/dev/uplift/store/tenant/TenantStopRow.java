package dev.uplift.store.tenant;

import dev.uplift.store.TextColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;

/// A tenant in which nothing new begins.
@MappedEntity("tenant_stop")
public record TenantStopRow(
    @Id String tenant, @MappedProperty(converter = TextColumn.class) String reason, String stoppedBy, Instant since) {
  /// For people.
  public String describe() {
    return "%s was stopped by %s at %s: %s".formatted(tenant, stoppedBy, since, reason);
  }
}
