/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.upgrade;

import org.jspecify.annotations.NullMarked;
