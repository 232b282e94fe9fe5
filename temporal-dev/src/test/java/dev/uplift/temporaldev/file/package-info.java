/// Tests of the package of the same name.
@NullMarked
package dev.uplift.temporaldev.file;

import org.jspecify.annotations.NullMarked;
