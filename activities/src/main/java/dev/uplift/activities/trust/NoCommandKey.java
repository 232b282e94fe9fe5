package dev.uplift.activities.trust;

import dev.uplift.protocol.Root;

/// The root of a tenant names no command key that this server has, so its hosts would believe
/// nothing that it says. Ends when there is another root, or the key.
public final class NoCommandKey extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoCommandKey(Root root) {
    super(
        "root %d of %s names none of this server's command keys, but %s"
            .formatted(root.version(), root.tenant(), root.holders(Root.Role.COMMAND).keys()));
  }
}
