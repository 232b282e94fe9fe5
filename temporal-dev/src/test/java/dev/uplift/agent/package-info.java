/// Plays the agent, which this module knows nothing of.
@NullMarked
package dev.uplift.agent;

import org.jspecify.annotations.NullMarked;
