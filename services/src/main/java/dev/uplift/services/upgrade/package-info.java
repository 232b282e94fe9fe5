/// Decides whether an upgrade or a revert may start, from tables and presence.
///
/// Start at [DeviceFactsLoader], [ParticipatingHosts] and [RevertPlanner]; the decisions are made in `fleet`.
/// [ConcurrentStarts] has them start a few at a time. [HostOutcome] is the JSON that a row keeps of each host of a
/// finished upgrade.
@NullMarked
package dev.uplift.services.upgrade;

import org.jspecify.annotations.NullMarked;
