/// Tests of the package of the same name.
@NullMarked
package dev.uplift.temporaldev.demo;

import org.jspecify.annotations.NullMarked;
