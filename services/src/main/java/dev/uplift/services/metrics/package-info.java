/// Metrics of the fleet and of the database. Start at [FleetMetrics]. `docs/monitoring.md` lists all metrics, and a
/// test compares it with what a server exports. No label has the name of a tenant, a device, a host, an upgrade or a
/// rollout.
@NullMarked
package dev.uplift.services.metrics;

import org.jspecify.annotations.NullMarked;
