/// What upgrades promise to those who start and steer them, on real Temporal and real NATS.
@NullMarked
package dev.uplift.api.upgrades;

import org.jspecify.annotations.NullMarked;
