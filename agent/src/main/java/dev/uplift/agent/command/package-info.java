/// Executes the commands for one host: reads the newest one, validates it, executes it, publishes the outcome.
///
/// Start at [HostAgent], which puts the parts together. A notification wakes the [CommandReader], which reads the
/// newest command from the stream; the [CommandValidator] decides whether it is executed; the [CommandDispatcher]
/// answers it or hands it to the [CommandWorker], which executes one command at a time by the [StepExecutor].
///
/// A notification is never acted on, only what was read and signed. The process may be killed at any moment: intent is
/// written before acting, the outcome before it is published.
@NullMarked
package dev.uplift.agent.command;

import org.jspecify.annotations.NullMarked;
