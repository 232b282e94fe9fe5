/// Thousands of hosts in one process, for tests at scale and for `uplift bench`.
///
/// Start at [Simulator], which is a `main`. Each host is the agent's own core with its checks, signatures and answers,
/// over a few connections that all share; only its packages are simulated, its memory is gone with the process, and its
/// reboots are a pause.
@NullMarked
package dev.uplift.agent.simulator;

import org.jspecify.annotations.NullMarked;
