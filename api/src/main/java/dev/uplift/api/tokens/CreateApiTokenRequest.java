package dev.uplift.api.tokens;

import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.NameRule;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/// A token for a script.
///
/// @param name of the script, for people
/// @param role with all permissions of lower ones
/// @param validForSeconds from now on; at most what the server permits for all tokens
@Introspected
record CreateApiTokenRequest(
    @NameOf(NameRule.DEVICE) String name,
    TokenRole role,
    @Bindable(defaultValue = "2592000") @Min(1) @Max(7_776_000) int validForSeconds)
    implements RequestBody {}
