/// Packages that are not there: for tests, demonstrations and fleets of thousands on one machine.
///
/// Start at [SimulatedDriver]; its knobs are in `docs/drivers.md`. It keeps to the contract of a
/// driver as strictly as the real ones: what it says is what its [SimulatedState] holds, and that
/// survives a restart where it lies in a file.
@NullMarked
package dev.uplift.agent.driver.simulated;

import org.jspecify.annotations.NullMarked;
