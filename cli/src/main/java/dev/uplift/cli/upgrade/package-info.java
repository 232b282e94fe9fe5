/// Device upgrades: the commands, their options, and the display of a running one.
///
/// Start at [UpgradeCommands]. [UpgradeResponse] reads `GET upgrades/{id}`; [UpgradeWatcher] follows upgrades and shows
/// them with [UpgradeProgressBlock] where a terminal can be redrawn, and as a line per event with [UpgradeEventLines]
/// elsewhere. The demo shows the same.
@NullMarked
package dev.uplift.cli.upgrade;

import org.jspecify.annotations.NullMarked;
