/// Device upgrades: who started them, when, and how they ended. Start at [UpgradeRepository]; what they wait for is in
/// [UpgradeWaitRepository], and what counts at the start of another one in [UpgradeFactRepository].
@NullMarked
package dev.uplift.store.upgrade;

import org.jspecify.annotations.NullMarked;
