/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.text;

import org.jspecify.annotations.NullMarked;
