/// What this process is connected to: its tables, and NATS, Temporal and presence as [ServerConnections].
///
/// Put together by [dev.uplift.activities.ActivitiesFactory]; what works with them takes them from here.
@NullMarked
package dev.uplift.activities.connection;

import org.jspecify.annotations.NullMarked;
