/// Tests of the workflow of barriers.
@NullMarked
package dev.uplift.workflows.barrier;

import org.jspecify.annotations.NullMarked;
