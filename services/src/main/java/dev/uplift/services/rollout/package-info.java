/// Plans rollouts: which devices take part, in which waves, and why others are excluded.
///
/// Start at [RolloutPlanner]. [RolloutJson] reads and writes the columns that hold plans and rules.
@NullMarked
package dev.uplift.services.rollout;

import org.jspecify.annotations.NullMarked;
