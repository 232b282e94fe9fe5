/// Explains why a package of a device is not, not yet or no longer being upgraded.
///
/// Start at [Explanation], a pure function of [ExplanationFacts]: from what is wanted over all that may be in its way
/// to the step in work and its last error. The caller reads tables and presence and passes the time; the same answer is
/// shown by REST and by the command line.
@NullMarked
package dev.uplift.fleet.why;

import org.jspecify.annotations.NullMarked;
