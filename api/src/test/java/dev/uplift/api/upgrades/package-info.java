/// Tests of upgrades over REST, on real Temporal and real NATS.
@NullMarked
package dev.uplift.api.upgrades;

import org.jspecify.annotations.NullMarked;
