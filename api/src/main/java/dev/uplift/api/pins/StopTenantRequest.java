package dev.uplift.api.pins;

import dev.uplift.api.json.RequestBody;
import io.micronaut.core.annotation.Introspected;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

/// A stop of a tenant.
///
/// @param reason shown to everybody who asks why nothing begins
@Introspected
record StopTenantRequest(@NotBlank @Size(max = 500) String reason) implements RequestBody {}
