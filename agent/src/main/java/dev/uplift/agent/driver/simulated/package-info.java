/// Simulated packages: for tests, demonstrations and fleets of thousands on one machine.
///
/// Start at [SimulatedDriver]; `docs/drivers.md` lists its settings. It keeps the contract of a driver as strictly as
/// the real ones: it reports what its [SimulatedState] holds, and that survives a restart if it is a file.
@NullMarked
package dev.uplift.agent.driver.simulated;

import org.jspecify.annotations.NullMarked;
