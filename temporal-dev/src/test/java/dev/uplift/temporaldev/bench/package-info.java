/// Tests of the package of the same name.
@NullMarked
package dev.uplift.temporaldev.bench;

import org.jspecify.annotations.NullMarked;
