/// The local stack: real servers and agents as processes, started, awaited and ended.
@NullMarked
package dev.uplift.temporaldev;

import org.jspecify.annotations.NullMarked;
