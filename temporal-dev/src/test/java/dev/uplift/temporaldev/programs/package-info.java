/// Tests of the package of the same name.
@NullMarked
package dev.uplift.temporaldev.programs;

import org.jspecify.annotations.NullMarked;
