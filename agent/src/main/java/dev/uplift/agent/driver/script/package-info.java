/// Packages that the operator's own programs bring to the host: one executable per verb.
///
/// Start at [ScriptDriver]; what a program is told and how it answers is `docs/drivers.md`, and
/// [ScriptInvocation] and [ScriptResultParser] here. A verb runs in a session of its own, named by
/// the command: when the agent is killed it goes on, and is found again, not repeated. Only after a
/// loss of power it may run a second time.
@NullMarked
package dev.uplift.agent.driver.script;

import org.jspecify.annotations.NullMarked;
