/// Tests of barriers.
@NullMarked
package dev.uplift.fleet.barrier;

import org.jspecify.annotations.NullMarked;
