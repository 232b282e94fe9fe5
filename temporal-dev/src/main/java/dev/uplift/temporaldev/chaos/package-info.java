/// A rollout after the other while parts of the stack are killed and frozen at random, and what must hold all the same.
///
/// Start at [ChaosRunner].
@NullMarked
package dev.uplift.temporaldev.chaos;

import org.jspecify.annotations.NullMarked;
