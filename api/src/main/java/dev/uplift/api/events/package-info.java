/// Server-sent events: reports changes to clients that listen.
///
/// Start at [SseStream], which sends one client what its [SseEventSource] finds. [SharedPoller] reads the tables once a
/// second per subject, however many clients listen. Knows no resource.
@NullMarked
package dev.uplift.api.events;

import org.jspecify.annotations.NullMarked;
