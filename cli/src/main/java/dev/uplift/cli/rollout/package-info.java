/// Rollouts for people: one page of one, progress bars that are drawn again, lines of what
/// happened.
///
/// [RolloutResponse] is what the server says of one; [RolloutWatcher] follows it. Decides nothing.
@NullMarked
package dev.uplift.cli.rollout;

import org.jspecify.annotations.NullMarked;
