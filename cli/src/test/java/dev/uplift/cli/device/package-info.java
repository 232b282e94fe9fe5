/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.device;

import org.jspecify.annotations.NullMarked;
