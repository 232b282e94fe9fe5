/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.release;

import org.jspecify.annotations.NullMarked;
