/// Rollouts: planned, checked, started, shown, steered. [RolloutWish] is what a client may say of
/// one; start at [RolloutController] and [RolloutActionController].
///
/// What a rollout does is decided elsewhere, by its ticks. Here a request is read, with all that is
/// wrong in it at once, handed on, and what stands in the tables is shown. Reading goes on while
/// Temporal is away; steering does not.
@NullMarked
package dev.uplift.api.rollouts;

import org.jspecify.annotations.NullMarked;
