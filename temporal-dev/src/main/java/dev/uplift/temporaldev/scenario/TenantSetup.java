package dev.uplift.temporaldev.scenario;

import dev.uplift.cli.keys.RootFolder;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.temporaldev.stack.Stack;

/// Sets up tenants of a local stack.
public final class TenantSetup {
  private TenantSetup() {}

  /// Creates the tenant and publishes its roots, so that hosts trust the keys of the stack.
  /// Repeatable.
  public static void createTenant(RestClient restClient, Stack stack, String tenant) {
    restClient.putTenant();
    RootFolder roots = new RootFolder(stack.secrets().rootFolder(tenant));
    for (long version : roots.versions()) {
      SignedTrustRoot root = roots.signedRoot(version);
      var body =
          RestClient.JSON
              .createObjectNode()
              .put("root", root.root())
              .put("signature", root.signature());
      var _ = restClient.send("PUT", "trust/" + version, body);
    }
  }
}
