/// Device upgrades: started, shown, steered. Start at [UpgradeController] and [UpgradeActionController].
///
/// While an upgrade runs its workflow knows what it does; how it ended, and every command on the
/// way, stands in the tables. So what is shown comes from both, and less of it while Temporal is
/// away.
@NullMarked
package dev.uplift.api.upgrades;

import org.jspecify.annotations.NullMarked;
