/// The workflow code of a device upgrade.
///
/// Start at [UpgradeProcedure], which reads like the page `docs/device-upgrade.md`.
@NullMarked
package dev.uplift.workflows.device.procedure;

import org.jspecify.annotations.NullMarked;
