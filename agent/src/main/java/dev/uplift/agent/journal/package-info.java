/// What the agent remembers of commands: begun before it acts, answered before it says so.
///
/// Start at [CommandJournal]. All of it may be lost without harm but the counters, which keep old
/// orders and old releases from coming back; a lost answer is found again by looking at the host.
@NullMarked
package dev.uplift.agent.journal;

import org.jspecify.annotations.NullMarked;
