/// Credentials for a stack's nats-server, and connections to it.
///
/// Start at [LocalNatsOperator].
@NullMarked
package dev.uplift.temporaldev.nats;

import org.jspecify.annotations.NullMarked;
