/// The OS upgrade of a tenant in the spelling of Avassa: a view on the policy `os-upgrade`, for clients of that
/// interface.
///
/// Start at [OsUpgradeController] and [OsUpgradeStateController]. What is spelled in that interface's way, and nothing
/// else in the API is, stays in this package: names with dashes, days in one text, spans such as `1d4h18s`. Decides
/// nothing: what is to be done decides the policy.
@NullMarked
package dev.uplift.api.osupgrade;

import org.jspecify.annotations.NullMarked;
