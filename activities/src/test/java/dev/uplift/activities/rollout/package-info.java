/// Rollouts on real Temporal, with hosts that answer at once as they are told.
@NullMarked
package dev.uplift.activities.rollout;

import org.jspecify.annotations.NullMarked;
