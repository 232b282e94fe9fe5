/// The command `barrier`.
@NullMarked
package dev.uplift.cli.barrier;

import org.jspecify.annotations.NullMarked;
