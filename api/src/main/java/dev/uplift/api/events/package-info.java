/// Server-sent events: what changes is told to those who listen, for as long as they do.
///
/// Start at [SseStream], which tells one listener what its [SseEventSource] finds. However many listen to one
/// thing, [SharedPoller] has the tables asked about it once a second. Knows no resource.
@NullMarked
package dev.uplift.api.events;

import org.jspecify.annotations.NullMarked;
