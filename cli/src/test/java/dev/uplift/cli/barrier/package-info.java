/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.barrier;

import org.jspecify.annotations.NullMarked;
