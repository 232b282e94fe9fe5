/// The plan of a rollout: waves, limits, thresholds, retries, windows, and everything that can be wrong with them.
///
/// Start at [RolloutPlan]. A new plan is checked before it is stored; nothing here refuses to read a stored one.
@NullMarked
package dev.uplift.fleet.rollout.plan;

import org.jspecify.annotations.NullMarked;
