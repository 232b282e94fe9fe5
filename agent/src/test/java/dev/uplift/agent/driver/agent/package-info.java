/// The driver `agent` in this process, with a launcher that only notes what it is asked; and what a boot makes of each
/// point where the process may die.
@NullMarked
package dev.uplift.agent.driver.agent;

import org.jspecify.annotations.NullMarked;
