/// Tests of barriers on real NATS and real Temporal.
@NullMarked
package dev.uplift.activities.barrier;

import org.jspecify.annotations.NullMarked;
