/// Packages that a worker upgrades: one program of the operator, to which messages are given and which replies.
///
/// Start at [WorkerDriver]; `docs/drivers.md` specifies the messages, implemented in [WorkerMessages]. The program is
/// started once for each message, in a session of its own, named by the command: when the agent is killed it continues,
/// and is found again, not repeated. What has to be remembered between two messages is remembered here, in
/// [PreparedRelease], so that it survives the program, the agent and the boot.
@NullMarked
package dev.uplift.agent.driver.worker;

import org.jspecify.annotations.NullMarked;
