/// The agent's trust: the root of its tenant and its successors, the TLS authorities of its servers, and a time that
/// has certainly passed.
///
/// Start at [TrustStore]. Knows nothing of commands.
@NullMarked
package dev.uplift.agent.trust;

import org.jspecify.annotations.NullMarked;
