/// Plans, checks, starts, shows and controls rollouts. [RolloutRequest] has the fields of a rollout; start at
/// [RolloutController] and [RolloutActionController].
///
/// The workflow of a rollout decides about it. Controllers read requests, pass them on, and show the tables. Reading
/// works while Temporal is unavailable; controlling does not.
@NullMarked
package dev.uplift.api.rollouts;

import org.jspecify.annotations.NullMarked;
