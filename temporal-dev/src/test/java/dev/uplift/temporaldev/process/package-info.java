/// Tests of the package of the same name.
@NullMarked
package dev.uplift.temporaldev.process;

import org.jspecify.annotations.NullMarked;
