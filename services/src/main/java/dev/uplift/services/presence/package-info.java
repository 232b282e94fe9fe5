/// The newest heartbeats of each host, in memory, and the inventory that is written from them.
///
/// Start at [Presence], which receives every heartbeat and keeps the newest of each host. [PresenceStatus] is the
/// conclusion; it is `unknown` rather than `silent` whenever our own connection may be the cause. [HostInventory]
/// writes what hosts report about themselves to the tables. Knows nothing of Temporal.
@NullMarked
package dev.uplift.services.presence;

import org.jspecify.annotations.NullMarked;
