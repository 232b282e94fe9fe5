/// The agent as a package of its own host: brings the next version of itself, and makes way for it.
///
/// Start at [AgentDriver], which reads as the procedure; [AgentInstallation] is what lies in the
/// folder, [AgentInstaller] how a version gets there, [HandoverController] the time in which two
/// agents are alive. What is done without an agent, or to one that is broken, does the launcher, a
/// shell script outside of every version; `docs/agent.md` tells what both agree on.
///
/// Two agents never work: who works has the host lock, and only the end of the process gives it
/// back. The old one ends when the server says so, and goes on as if nothing had been when the new
/// one does not show itself.
@NullMarked
package dev.uplift.agent.driver.agent;

import org.jspecify.annotations.NullMarked;
