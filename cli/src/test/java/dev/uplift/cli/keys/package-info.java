/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.keys;

import org.jspecify.annotations.NullMarked;
