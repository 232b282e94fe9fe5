/// The agent as a package of its own host: installs the next version of itself, and hands over to it.
///
/// Start at [AgentDriver], which reads as the procedure; [AgentInstallation] is the content of the folder,
/// [AgentInstaller] puts a version there, [HandoverController] controls the time in which two agents are alive. The
/// launcher, a shell script outside of every version, does what is done without an agent, or to a broken one;
/// `docs/agent.md` specifies what both agree on.
///
/// Two agents never work at the same time: the working one has the host lock, and only the end of its process releases
/// it. The old agent ends on the server's command, and continues unchanged if the new one does not show itself.
@NullMarked
package dev.uplift.agent.driver.agent;

import org.jspecify.annotations.NullMarked;
