/// Credentials for a stack's nats-server, and a small NATS client that checks logins.
///
/// Start at [LocalNatsOperator].
@NullMarked
package dev.uplift.temporaldev.nats;

import org.jspecify.annotations.NullMarked;
