package dev.uplift.api.tenants;

import dev.uplift.api.json.RequestBody;
import io.micronaut.core.annotation.Introspected;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/// A tenant to create or to change.
///
/// @param title for people; absent: it stays
/// @param allowHoldOverride whether a person may override what the owners of its hosts hold; absent: it stays, `false`
///   of a new tenant
@Introspected
record PutTenantRequest(
    @Nullable @Size(max = 200) @Schema(maxLength = 200) String title, @Nullable Boolean allowHoldOverride)
    implements RequestBody {
  static final PutTenantRequest EMPTY = new PutTenantRequest(null, null);
}
