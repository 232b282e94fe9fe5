/// Loads the facts with which `fleet` explains why a package of a device is not, not yet or no longer being upgraded.
///
/// Start at [ExplanationFactsLoader]. What a running upgrade does is known to Temporal, which this module does not
/// know: the caller passes it.
@NullMarked
package dev.uplift.services.why;

import org.jspecify.annotations.NullMarked;
