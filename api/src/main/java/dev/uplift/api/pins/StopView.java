package dev.uplift.api.pins;

import dev.uplift.store.tenant.TenantStopRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/// The stop of a tenant, or that there is none.
///
/// @param stopped whether nothing begins; the other fields are only there if so
@Serdeable
record StopView(boolean stopped, Optional<String> reason, Optional<String> actor, Optional<Instant> since) {
  static StopView of(Optional<TenantStopRow> row) {
    return new StopView(
        row.isPresent(),
        row.map(TenantStopRow::reason),
        row.map(TenantStopRow::stoppedBy),
        row.map(TenantStopRow::since));
  }
}
