/// Ed25519 keys, and what a signature of each means.
///
/// Start at [SignatureDomain]: a signature is valid for one kind of message only.
@NullMarked
package dev.uplift.protocol.signature;

import org.jspecify.annotations.NullMarked;
