/// The newest trust root of each tenant, the keys that sign commands, and warnings before a root expires.
///
/// Start at [TrustRoots], which reads the newest root of a tenant. [TrustRootPublisher] publishes the roots to NATS.
/// [CommandSigner] signs commands with the key that the root names. No private key of a root or of a release is ever
/// here.
@NullMarked
package dev.uplift.services.trust;

import org.jspecify.annotations.NullMarked;
