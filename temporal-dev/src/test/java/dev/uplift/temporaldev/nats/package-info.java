/// Tests of the package of the same name.
@NullMarked
package dev.uplift.temporaldev.nats;

import org.jspecify.annotations.NullMarked;
