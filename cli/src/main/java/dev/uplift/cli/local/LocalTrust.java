package dev.uplift.cli.local;

import dev.uplift.cli.keys.RootFolder;
import dev.uplift.cli.rest.Rest;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.temporaldev.Stack;

/// Whose word counts in a stack of this machine.
public final class LocalTrust {
  private LocalTrust() {}

  /// The tenant is there, and its hosts go by the keys of the stack. Safe to repeat.
  public static void putTenant(Rest rest, Stack stack, String tenant) {
    rest.putTenant();
    RootFolder roots = new RootFolder(stack.secrets().roots(tenant));
    for (long version : roots.versions()) {
      SignedRoot root = roots.signed(version);
      var body =
          Rest.JSON.createObjectNode().put("root", root.root()).put("signature", root.signature());
      var _ = rest.send("PUT", "trust/" + version, body);
    }
  }
}
