/// Tests of the tables of barriers.
@NullMarked
package dev.uplift.store.barrier;

import org.jspecify.annotations.NullMarked;
