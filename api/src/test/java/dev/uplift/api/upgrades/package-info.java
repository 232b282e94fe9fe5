/// The promises of upgrades to those who start and control them, on real Temporal and real NATS.
@NullMarked
package dev.uplift.api.upgrades;

import org.jspecify.annotations.NullMarked;
