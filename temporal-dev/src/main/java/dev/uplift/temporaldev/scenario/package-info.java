/// The parts that `demo`, `up` and `bench` share: servers started with a line each, tenants set up, simulated hosts
/// started and awaited.
///
/// Start at [StackStarter].
@NullMarked
package dev.uplift.temporaldev.scenario;

import org.jspecify.annotations.NullMarked;
