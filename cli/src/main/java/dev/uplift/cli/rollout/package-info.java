/// Rollouts for people: one page of one, progress bars that are drawn again, lines of what
/// happened.
///
/// [RolloutView] is what the server says of one; [RolloutWatch] follows it. Decides nothing.
@NullMarked
package dev.uplift.cli.rollout;

import org.jspecify.annotations.NullMarked;
