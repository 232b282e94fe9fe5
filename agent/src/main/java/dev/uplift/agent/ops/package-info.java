/// What the agent remembers of commands: begun before it acts, answered before it says so.
///
/// Start at [Ops]. All of it may be lost without harm but the counters, which keep old orders and
/// old releases from coming back; a lost answer is found again by looking at the host.
@NullMarked
package dev.uplift.agent.ops;

import org.jspecify.annotations.NullMarked;
