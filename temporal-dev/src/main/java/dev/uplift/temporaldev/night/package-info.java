/// One night of a fleet: simulated devices in five time zones of which some are off, decline, fail or lose their
/// connection, a rollout in their windows, an outage of NATS and a lost server. In the morning each device is compared
/// with what was expected of it.
///
/// Start at [NightRunner]. The expectation is [NightFleet], a function of the seed, which knows no server.
@NullMarked
package dev.uplift.temporaldev.night;

import org.jspecify.annotations.NullMarked;
