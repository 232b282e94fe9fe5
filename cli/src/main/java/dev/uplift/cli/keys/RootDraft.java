package dev.uplift.cli.keys;

import dev.uplift.cli.rest.CliException;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.signature.TrustedKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Builder of a trust root.
public final class RootDraft {
  private final String tenant;
  private final long version;
  private Instant expiresAt;
  private final Map<Role, List<TrustedKey>> keys = new EnumMap<>(Role.class);
  private final Map<Role, Integer> thresholds = new EnumMap<>(Role.class);

  private RootDraft(String tenant, long version, Instant expiresAt) {
    this.tenant = tenant;
    this.version = version;
    this.expiresAt = expiresAt;
    for (Role role : Role.values()) {
      keys.put(role, new ArrayList<>());
      thresholds.put(role, 1);
    }
  }

  /// Creates a draft without keys.
  public static RootDraft create(String tenant, long version, Instant expiresAt) {
    return new RootDraft(tenant, version, expiresAt);
  }

  /// Creates a draft with the content of a root and another version.
  public static RootDraft copyOf(TrustRoot trustRoot, long version) {
    RootDraft draft = new RootDraft(trustRoot.tenant(), version, trustRoot.expiresAt());
    trustRoot
        .roles()
        .forEach((role, roleKeys) -> {
          draft.threshold(role, roleKeys.threshold());
          roleKeys.keys().forEach(id -> draft.keysWithRole(role).add(trustRoot.keys().get(id)));
        });
    return draft;
  }

  private List<TrustedKey> keysWithRole(Role role) {
    return keys.getOrDefault(role, List.of());
  }

  /// Appends a key to a role. The server uses the last command key.
  public RootDraft add(Role role, TrustedKey key) {
    keysWithRole(role).add(key);
    return this;
  }

  /// Removes a key from all roles.
  public RootDraft remove(String id) {
    boolean found = false;
    for (Role role : Role.values()) {
      found |= keysWithRole(role).removeIf(key -> key.id().equals(id));
    }
    if (!found) {
      throw CliException.usageError("version %d has no key %s".formatted(version, id));
    }
    return this;
  }

  public RootDraft threshold(Role role, int threshold) {
    thresholds.put(role, threshold);
    return this;
  }

  public RootDraft expireAt(Instant at) {
    expiresAt = at;
    return this;
  }

  /// Builds the root.
  ///
  /// @throws CliException if it would be invalid
  public TrustRoot build() {
    var all = new TreeMap<String, TrustedKey>();
    var roles = new EnumMap<Role, RoleKeys>(Role.class);
    keys.forEach((role, held) -> {
      held.forEach(key -> all.put(key.id(), key));
      roles.put(role, new RoleKeys(thresholds.getOrDefault(role, 1), held.stream().map(TrustedKey::id).toList()));
    });
    try {
      return new TrustRoot(tenant, version, expiresAt, all, roles);
    } catch (MalformedMessage e) {
      throw new CliException(CliException.USAGE, "version " + version + " would be invalid: " + e.getMessage(), e);
    }
  }
}
