/// What this process hears of the hosts with its own ears.
///
/// Start at [Presence]: every heartbeat of every host comes by there, and only the newest is kept,
/// in memory. [PresenceStatus] is what may be said of a host from it, and says `unknown` rather than `silent`
/// whenever the reason might be ours. [HostInventory] writes down what hosts say of themselves, for
/// lists and counts. Knows nothing of Temporal.
@NullMarked
package dev.uplift.services.presence;

import org.jspecify.annotations.NullMarked;
