/// Who somebody is at NATS: keys, the tickets (JWT) that go with them, and the file that holds
/// both.
///
/// Start at [Credentials]. The forms are those of NATS itself (nkeys; JWT of version 2), written
/// here because the libraries that write them bring a cryptography of their own, and the JDK has
/// what it takes. An agent only reads its credentials and signs with them; tickets are written by
/// the server, and by what sets NATS up.
@NullMarked
package dev.uplift.protocol.nats;

import org.jspecify.annotations.NullMarked;
