/// The demo, on real servers: four devices upgraded at once by real agents, then a rollout over twelve stores, whose
/// hosts are simulated.
///
/// Start at [DemoCommand]; its parts are [DevicesPart] and [RolloutPart].
@NullMarked
package dev.uplift.temporaldev.demo;

import org.jspecify.annotations.NullMarked;
