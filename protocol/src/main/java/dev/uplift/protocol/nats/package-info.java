/// Identities at NATS: keys, user JWTs, and the file that holds both.
///
/// Start at [Credentials]. The forms are those of NATS itself (nkeys; JWT of version 2), implemented here because the
/// libraries for them bring a cryptography of their own, and the JDK has all that is needed. An agent only reads its
/// credentials and signs with them; the server and the set-up of NATS create user JWTs.
@NullMarked
package dev.uplift.protocol.nats;

import org.jspecify.annotations.NullMarked;
