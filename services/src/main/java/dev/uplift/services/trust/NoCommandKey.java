package dev.uplift.services.trust;

import dev.uplift.protocol.TrustRoot;

/// The root of a tenant names no command key that this server has, so its hosts would reject its commands. Ends with
/// another root, or with the key.
public final class NoCommandKey extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoCommandKey(TrustRoot trustRoot) {
    super(
        "root %d of %s names none of this server's command keys, but %s"
            .formatted(trustRoot.version(), trustRoot.tenant(), trustRoot.roleKeys(TrustRoot.Role.COMMAND).keys()));
  }
}
