/// One device upgrade as the server tells of it, and how it looks to people.
///
/// [UpgradeView] reads what `GET upgrades/{id}` answers; [LiveBlock] shows it where a terminal can
/// be drawn again, [EventLines] as a line per event. `upgrade watch` and the demo show the same.
@NullMarked
package dev.uplift.cli.upgrade;

import org.jspecify.annotations.NullMarked;
