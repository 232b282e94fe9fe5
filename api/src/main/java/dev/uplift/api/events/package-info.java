/// Server-sent events: what changes is told to those who listen, for as long as they do.
///
/// Start at [Stream], which tells one listener what its [Teller] finds. However many listen to one
/// thing, [Looks] has the tables asked about it once a second. Knows no resource.
@NullMarked
package dev.uplift.api.events;

import org.jspecify.annotations.NullMarked;
