/// Selects the devices that start next and says what blocks the others.
///
/// Start at [StartSelection].
@NullMarked
package dev.uplift.fleet.rollout.start;

import org.jspecify.annotations.NullMarked;
