/// Programs of the operator, each in a process session of its own.
///
/// Start at [ProgramRunner]. A program that was started here has no pipe to the agent and continues when the agent
/// ends, however it ends. A [ProgramRun] has a name, and is found again under it: the program is not started a second
/// time, and its exit code and output are there. A probe is short, asks something, and is not looked for again.
///
/// Knows processes and files, no commands and no releases. Linux: `/proc`, `setsid`, `sh`.
@NullMarked
package dev.uplift.agent.driver.process;

import org.jspecify.annotations.NullMarked;
