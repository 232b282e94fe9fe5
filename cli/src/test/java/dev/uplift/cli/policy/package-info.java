/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.policy;

import org.jspecify.annotations.NullMarked;
