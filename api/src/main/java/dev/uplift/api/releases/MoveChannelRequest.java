package dev.uplift.api.releases;

import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.NameRule;
import io.micronaut.core.annotation.Introspected;

/// Where a channel is to point.
///
/// @param version of a published release of the package
@Introspected
record MoveChannelRequest(@NameOf(NameRule.VERSION) String version) implements RequestBody {}
