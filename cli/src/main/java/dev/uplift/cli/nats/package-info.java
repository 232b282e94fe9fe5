/// The operator, accounts and credentials of NATS as files, for production and for the local stack.
///
/// Start at [NatsKeyFolder]. Works offline. `NatsAccountsTest` checks on a real nats-server what the accounts permit.
@NullMarked
package dev.uplift.cli.nats;

import org.jspecify.annotations.NullMarked;
