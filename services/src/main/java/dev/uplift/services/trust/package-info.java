/// Whose word counts in each tenant, and the keys that this server signs commands with.
///
/// Start at [TrustRoots]: the newest root of a tenant, as the table has it. [TrustRootPublisher] brings what the
/// table has to where hosts find it. [CommandSigner] signs what hosts are told, with the key that the
/// root wants. No private key of a root or of a release is ever here.
@NullMarked
package dev.uplift.services.trust;

import org.jspecify.annotations.NullMarked;
