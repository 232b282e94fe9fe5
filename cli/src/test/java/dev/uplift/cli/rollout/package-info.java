/// Tests of the package of the same name.
@NullMarked
package dev.uplift.cli.rollout;

import org.jspecify.annotations.NullMarked;
