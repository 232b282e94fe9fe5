/// Rollouts: the commands, their options, and the display of a running one.
///
/// Start at [RolloutCommands]. [RolloutResponse] reads the server's answer; [RolloutWatcher] follows one rollout.
/// Decides nothing.
@NullMarked
package dev.uplift.cli.rollout;

import org.jspecify.annotations.NullMarked;
