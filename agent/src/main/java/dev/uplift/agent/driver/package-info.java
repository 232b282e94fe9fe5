/// What a host can be asked to do with one of its packages, and those who do it.
///
/// Start at [Driver] and [Job]. A driver knows how one kind of package is brought to a host and
/// taken back; the agent's core knows commands, epochs and NATS and calls it. A driver holds
/// nothing in memory that it cannot find again on the disk or by asking the service: the process
/// may be killed between any two lines. It never answers from the command what it can measure.
///
/// Knows nothing of NATS. `docs/drivers.md` is the contract for those who build archives and write
/// scripts.
@NullMarked
package dev.uplift.agent.driver;

import org.jspecify.annotations.NullMarked;
