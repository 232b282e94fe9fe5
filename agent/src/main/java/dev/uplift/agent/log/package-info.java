/// The agent's log: one line each on standard error, [PlainLoggerFinder].
@NullMarked
package dev.uplift.agent.log;

import org.jspecify.annotations.NullMarked;
