package dev.uplift.cli.keys;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.Root.Holders;
import dev.uplift.protocol.Root.Role;
import dev.uplift.protocol.TrustedKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A root that is being written.
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

  /// Without any key yet.
  public static RootDraft first(String tenant, long version, Instant expiresAt) {
    return new RootDraft(tenant, version, expiresAt);
  }

  /// As this one, with another version.
  public static RootDraft like(Root root, long version) {
    RootDraft draft = new RootDraft(root.tenant(), version, root.expiresAt());
    root.roles()
        .forEach((role, holders) -> {
          draft.threshold(role, holders.threshold());
          holders.keys().forEach(id -> draft.keysOf(role).add(root.keys().get(id)));
        });
    return draft;
  }

  private List<TrustedKey> keysOf(Role role) {
    return keys.getOrDefault(role, List.of());
  }

  /// As the last one of its role: of command keys, the one that the server is to use.
  public RootDraft add(Role role, TrustedKey key) {
    keysOf(role).add(key);
    return this;
  }

  /// From whichever role it has.
  public RootDraft remove(String id) {
    boolean found = false;
    for (Role role : Role.values()) {
      found |= keysOf(role).removeIf(key -> key.id().equals(id));
    }
    if (!found) {
      throw CommandFailed.usage("version %d has no key %s".formatted(version, id));
    }
    return this;
  }

  public RootDraft threshold(Role role, int threshold) {
    thresholds.put(role, threshold);
    return this;
  }

  public RootDraft expiring(Instant at) {
    expiresAt = at;
    return this;
  }

  /// Throws [CommandFailed] where it would be none.
  public Root root() {
    var all = new TreeMap<String, TrustedKey>();
    var roles = new EnumMap<Role, Holders>(Role.class);
    keys.forEach((role, held) -> {
      held.forEach(key -> all.put(key.id(), key));
      roles.put(
          role,
          new Holders(
              thresholds.getOrDefault(role, 1), held.stream().map(TrustedKey::id).toList()));
    });
    try {
      return new Root(tenant, version, expiresAt, all, roles);
    } catch (MalformedMessage e) {
      throw new CommandFailed(
          CommandFailed.USAGE, "version " + version + " would be no root: " + e.getMessage(), e);
    }
  }
}
