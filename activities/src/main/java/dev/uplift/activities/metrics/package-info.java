/// What this server itself has done to upgrades, as metrics. `docs/monitoring.md` lists all metrics. No label has the
/// name of a tenant, a device, a host or an upgrade.
@NullMarked
package dev.uplift.activities.metrics;

import org.jspecify.annotations.NullMarked;
