/// One device upgrade as the server tells of it, and how it looks to people.
///
/// [UpgradeResponse] reads what `GET upgrades/{id}` answers; [UpgradeProgressBlock] shows it where a terminal can
/// be drawn again, [UpgradeEventLines] as a line per event. `upgrade watch` and the demo show the same.
@NullMarked
package dev.uplift.cli.upgrade;

import org.jspecify.annotations.NullMarked;
