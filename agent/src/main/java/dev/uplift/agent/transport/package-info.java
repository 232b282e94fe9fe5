/// The agent's way to the server and back.
///
/// Start at [Transport], which is all that the core knows of NATS; [NatsTransport] keeps a
/// connection up for as long as the process lives. The client library gives up for good after two
/// refused logins, so a new connection is made then, with the password read anew. Knows nothing of
/// commands.
@NullMarked
package dev.uplift.agent.transport;

import org.jspecify.annotations.NullMarked;
