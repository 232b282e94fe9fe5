/// Rollouts: planned, checked, started, shown, controlled. [RolloutSpecReader] reads what a client
/// may ask for; start at [RolloutController] and [RolloutActionController].
///
/// What a rollout does is decided by its workflow. Here a request is read and passed on, and the
/// tables are shown. Reading works while Temporal is unavailable; controlling does not.
@NullMarked
package dev.uplift.api.rollouts;

import org.jspecify.annotations.NullMarked;
