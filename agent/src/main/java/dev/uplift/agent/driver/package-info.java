/// The steps that a host can execute for one of its packages, and the drivers that implement them.
///
/// Start at [Driver] and [Job]. A driver knows how one kind of package is installed and rolled back; the agent's core
/// knows commands, epochs and NATS and calls it. A driver holds nothing in memory that it cannot find again on the disk
/// or by asking the service: the process may be killed between any two lines. It reports what it measures, never what
/// the command said.
///
/// Knows nothing of NATS. `docs/drivers.md` is the contract for authors of archives and scripts.
@NullMarked
package dev.uplift.agent.driver;

import org.jspecify.annotations.NullMarked;
