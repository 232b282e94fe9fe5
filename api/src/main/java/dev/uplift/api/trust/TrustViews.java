package dev.uplift.api.trust;

import dev.uplift.activities.trust.CommandKeys;
import dev.uplift.api.trust.TrustView.RoleView;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.SigningKey;
import dev.uplift.store.RootRow;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// Makes roots readable.
@Singleton
final class TrustViews {
  private final CommandKeys keys;

  TrustViews(CommandKeys keys) {
    this.keys = keys;
  }

  TrustView of(RootRow row) {
    Root root = Root.read(row.text().getBytes(StandardCharsets.UTF_8));
    Map<String, RoleView> roles = new TreeMap<>();
    root.roles()
        .forEach((role, holders) ->
            roles.put(role.word(), new RoleView(holders.threshold(), holders.keys())));
    return new TrustView(
        row.tenant(),
        row.version(),
        root.expiresAt(),
        roles,
        keys.under(root).map(SigningKey::keyId),
        row.recordedAt(),
        row.text(),
        row.signature());
  }
}
