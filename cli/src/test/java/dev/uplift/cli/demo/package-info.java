/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.demo;

import org.jspecify.annotations.NullMarked;
