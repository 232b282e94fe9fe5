/// The rollout of one release over a fleet: a loop of ticks, and people who steer between them.
///
/// Start at [RolloutImpl]. All counting, deciding and starting is the tick's, in [RolloutSteps];
/// what it found and why it decided so comes back in words and stands in the history. Which devices
/// there are and how far each is, the tables know: neither state nor history grows with the fleet.
///
/// Every type here is in stored histories: fields may be added, never renamed or removed.
@NullMarked
package dev.uplift.workflows.rollout;

import org.jspecify.annotations.NullMarked;
