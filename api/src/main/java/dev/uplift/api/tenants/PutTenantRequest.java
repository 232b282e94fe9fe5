package dev.uplift.api.tenants;

import dev.uplift.api.json.RequestBody;
import io.micronaut.core.annotation.Introspected;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/// A tenant to create or to change.
///
/// @param title for people; absent: it stays
@Introspected
record PutTenantRequest(@Nullable @Size(max = 200) @Schema(maxLength = 200) String title) implements RequestBody {
  static final PutTenantRequest EMPTY = new PutTenantRequest(null);
}
