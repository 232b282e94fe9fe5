@NullMarked
package dev.uplift.agent.log;

import org.jspecify.annotations.NullMarked;
