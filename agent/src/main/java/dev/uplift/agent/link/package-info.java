/// The agent's way to the server and back.
///
/// Start at [Wire], which is all that the core knows of NATS; [NatsWire] keeps a connection up for
/// as long as the process lives. The client library gives up for good after two refused logins, so
/// a new connection is made then, with the password read anew. Knows nothing of commands.
@NullMarked
package dev.uplift.agent.link;

import org.jspecify.annotations.NullMarked;
