package dev.uplift.api.osupgrade;

import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.NameRule;
import io.micronaut.serde.annotation.Serdeable;

/// A worker application: a package. The hosts that report it take part.
///
/// @param name of the package
@Serdeable
record WorkerApplicationView(@NameOf(NameRule.PACKAGE) String name) implements RequestBody {}
