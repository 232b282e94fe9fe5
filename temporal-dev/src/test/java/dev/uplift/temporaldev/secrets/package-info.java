/// Tests of the package of the same name.
@NullMarked
package dev.uplift.temporaldev.secrets;

import org.jspecify.annotations.NullMarked;
