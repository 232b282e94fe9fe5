/// Webhooks: which events are sent, to which addresses, and what follows from what a receiver answers. Pure: facts in,
/// decision out.
///
/// Start at [DeliveryDecision].
@NullMarked
package dev.uplift.fleet.webhook;

import org.jspecify.annotations.NullMarked;
