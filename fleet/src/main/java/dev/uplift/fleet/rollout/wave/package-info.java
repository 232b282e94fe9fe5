/// Assigns each selected device to exactly one wave.
///
/// Start at [WaveAssignment].
@NullMarked
package dev.uplift.fleet.rollout.wave;

import org.jspecify.annotations.NullMarked;
