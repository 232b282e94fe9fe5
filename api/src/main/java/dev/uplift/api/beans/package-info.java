/// Puts the server together, once: tables, NATS, Temporal, and the beans of what they offer.
/// Nothing here decides anything. Start at [ServiceFactory].
@NullMarked
package dev.uplift.api.beans;

import org.jspecify.annotations.NullMarked;
