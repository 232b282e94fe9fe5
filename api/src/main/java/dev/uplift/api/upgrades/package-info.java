/// Device upgrades: started, shown, controlled. Start at [UpgradeController] and [UpgradeActionController].
///
/// The workflow of a running upgrade knows its state; outcomes and commands are in the tables. A view combines both,
/// and has less while Temporal is unavailable.
@NullMarked
package dev.uplift.api.upgrades;

import org.jspecify.annotations.NullMarked;
