package dev.uplift.api.trust;

import dev.uplift.api.trust.RootView.RoleKeysView;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.services.trust.CommandKeys;
import dev.uplift.store.trust.TrustRootRow;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// Creates views of roots.
@Singleton
final class RootViews {
  private final CommandKeys keys;

  RootViews(CommandKeys keys) {
    this.keys = keys;
  }

  RootView of(TrustRootRow row) {
    TrustRoot trustRoot = TrustRoot.read(row.document().getBytes(StandardCharsets.UTF_8));
    Map<String, RoleKeysView> roles = new TreeMap<>();
    trustRoot
        .roles()
        .forEach(
            (role, roleKeys) -> roles.put(role.wireName(), new RoleKeysView(roleKeys.threshold(), roleKeys.keys())));
    return new RootView(
        row.tenant(),
        row.version(),
        trustRoot.expiresAt(),
        roles,
        keys.forRoot(trustRoot).map(SigningKey::keyId),
        row.recordedAt(),
        row.document(),
        row.signature());
  }
}
