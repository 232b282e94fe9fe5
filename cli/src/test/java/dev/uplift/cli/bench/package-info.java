/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.bench;

import org.jspecify.annotations.NullMarked;
