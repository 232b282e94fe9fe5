/// The words of a rollout: its states, decisions, results of devices, what an operator may do.
///
/// Start at [RolloutState] and [Decision]. Constants are words in payloads, rows and REST, so they keep their names.
@NullMarked
package dev.uplift.fleet.rollout;

import org.jspecify.annotations.NullMarked;
