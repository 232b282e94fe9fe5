/// What this process is connected to: its tables, and NATS, Temporal and presence as [Links].
///
/// Put together by [dev.uplift.activities.Wiring]; what works with them takes them from here.
@NullMarked
package dev.uplift.activities.links;

import org.jspecify.annotations.NullMarked;
