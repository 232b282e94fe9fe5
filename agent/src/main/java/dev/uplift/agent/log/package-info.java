/// What the agent says to whoever reads its standard error: a line each, [PlainLoggerFinder].
@NullMarked
package dev.uplift.agent.log;

import org.jspecify.annotations.NullMarked;
