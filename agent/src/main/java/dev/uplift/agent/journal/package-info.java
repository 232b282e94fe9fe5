/// The agent's memory of commands across restarts: begun before it acts, answered before it publishes.
///
/// Start at [CommandJournal]. All of it may be lost without harm but the counters, which keep old commands and old
/// releases from coming back; a lost outcome is found again by measuring the host.
@NullMarked
package dev.uplift.agent.journal;

import org.jspecify.annotations.NullMarked;
