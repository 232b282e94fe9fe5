/// Decides what a rollout does now, from a snapshot of its counts.
///
/// Start at [WavePolicy], which is tested as a table that an operator can read. The caller has to take the snapshot
/// under a lock, so that its counts belong together.
@NullMarked
package dev.uplift.fleet.rollout.decision;

import org.jspecify.annotations.NullMarked;
