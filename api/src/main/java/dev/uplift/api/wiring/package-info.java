/// Puts the server together, once: tables, NATS, Temporal, and the beans of what they offer.
/// Nothing here decides anything. Start at [Parts].
@NullMarked
package dev.uplift.api.wiring;

import org.jspecify.annotations.NullMarked;
