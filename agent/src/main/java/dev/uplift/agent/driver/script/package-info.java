/// Packages that the operator's own programs install: one executable per step.
///
/// Start at [ScriptDriver]; `docs/drivers.md` specifies how a program is called and how it answers, implemented in
/// [ScriptInvocation] and [ScriptResultParser]. A program runs in a session of its own, named by the command: when the
/// agent is killed it continues, and is found again, not repeated. It may run a second time only after a loss of power.
@NullMarked
package dev.uplift.agent.driver.script;

import org.jspecify.annotations.NullMarked;
