/// Tests of the local stack, against the real servers.
@NullMarked
package dev.uplift.temporaldev.stack;

import org.jspecify.annotations.NullMarked;
