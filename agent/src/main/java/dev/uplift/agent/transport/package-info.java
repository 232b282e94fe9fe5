/// The agent's connection to NATS.
///
/// Start at [Transport], which is all that the core knows of NATS; [NatsTransport] keeps a connection up for as long as
/// the process lives. The client library closes for good after two refused logins, so a new connection is made then,
/// and the password is read again. Knows nothing of commands.
@NullMarked
package dev.uplift.agent.transport;

import org.jspecify.annotations.NullMarked;
