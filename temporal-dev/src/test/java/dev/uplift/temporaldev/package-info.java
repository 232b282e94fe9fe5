/// The local stack against the real servers.
@NullMarked
package dev.uplift.temporaldev;

import org.jspecify.annotations.NullMarked;
