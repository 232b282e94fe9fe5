package dev.uplift.protocol;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// `root.json`: whose word counts in a tenant, and for what. Signed as the bytes that it was
/// written as; nobody writes it anew from what was read. Each follows the one before, see
/// [SignedRoot#after].
///
/// @param version rises by one from root to root
/// @param expiresAt from then on nothing new is begun under it
/// @param keys by id; each has exactly one role, so that no two roles fall together
public record Root(
    String tenant,
    long version,
    Instant expiresAt,
    SortedMap<String, TrustedKey> keys,
    Map<Role, Holders> roles) {
  public static final int MAX_BYTES = 8 * 1024;
  public static final int MAX_SIGNATURE_CHARS = 4096;
  public static final int MAX_KEYS = 32;

  /// What a signature may be good for.
  public enum Role implements Word {
    /// Says which keys have which role. Offline.
    ROOT,
    /// Says which releases exist. Offline.
    RELEASE,
    /// Says what a host does now. The server's.
    COMMAND
  }

  /// Who has a role.
  ///
  /// @param threshold so many of them have to agree
  /// @param keys ids; of `command` the server uses the last one that it has
  public record Holders(int threshold, List<String> keys) {
    public Holders {
      keys = List.copyOf(keys);
    }
  }

  public Root {
    Bounds.tenant("tenant", tenant);
    Bounds.between("version", version, 1, Long.MAX_VALUE);
    Bounds.between("keys (entries)", keys.size(), 1, MAX_KEYS);
    keys = Collections.unmodifiableSortedMap(new TreeMap<>(keys));
    keys.forEach((id, key) ->
        Bounds.require(id.equals(key.id()), "keys." + id, "the id of its key, " + key.id()));
    roles = Collections.unmodifiableMap(new EnumMap<>(roles));
    List<String> given = new ArrayList<>();
    for (Role role : Role.values()) {
      given.addAll(checked(role, roles.get(role), keys));
    }
    List<String> once = new ArrayList<>(keys.keySet());
    given.sort(String::compareTo);
    Bounds.require(given.equals(once), "roles", "each of keys in exactly one role, once");
  }

  private static List<String> checked(
      Role role, @Nullable Holders holders, Map<String, TrustedKey> keys) {
    String name = "roles." + role.word();
    if (holders == null) {
      throw new MalformedMessage(name + ": expected an object, found none");
    }
    Bounds.between(name + ".threshold", holders.threshold, 1, holders.keys.size());
    // A command has one signature.
    Bounds.require(
        role != Role.COMMAND || holders.threshold == 1, name + ".threshold", "1, found more");
    holders.keys.forEach(id -> Bounds.require(keys.containsKey(id), name, id + " among keys"));
    return holders.keys;
  }

  /// Bytes that are too many, not JSON or not a root are a [MalformedMessage].
  public static Root read(byte[] json) {
    Fields in = Fields.of(Bounds.bytes("root", json, MAX_BYTES));
    var keys = new TreeMap<String, TrustedKey>();
    in.texts("keys").forEach((id, spki) -> keys.put(id, TrustedKey.of(spki)));
    Fields roles = in.inner("roles");
    var holders = new EnumMap<Role, Holders>(Role.class);
    Arrays.stream(Role.values())
        .filter(role -> roles.has(role.word()))
        .forEach(role -> holders.put(role, holders(roles.inner(role.word()))));
    return new Root(
        in.text("tenant"), in.number("version"), in.instant("expires_at"), keys, holders);
  }

  private static Holders holders(Fields in) {
    int threshold = Math.clamp(in.number("threshold"), 0, Integer.MAX_VALUE);
    return new Holders(threshold, in.listOr("keys", List.of()));
  }

  public byte[] write() {
    return Bounds.bytes("root", Json.object(this::write), MAX_BYTES);
  }

  private void write(Json out) {
    out.put("tenant", tenant).put("version", version).put("expires_at", expiresAt);
    var texts = new TreeMap<String, String>();
    keys.forEach((id, key) -> texts.put(id, key.spki()));
    out.put("keys", texts);
    out.put(
        "roles",
        all ->
            roles.forEach((role, holders) ->
                all.put(
                    role.word(),
                    inner -> inner.put("threshold", holders.threshold).put("keys", holders.keys))));
  }

  public Holders holders(Role role) {
    Holders holders = roles.get(role);
    if (holders == null) {
      throw new IllegalStateException("every root has " + role);
    }
    return holders;
  }

  /// Who has to sign for a role.
  public TrustedKeys trusted(Role role) {
    Holders holders = holders(role);
    return TrustedKeys.of(
        holders.threshold, holders.keys.stream().map(id -> keys.get(id)).toList());
  }

  /// Whether enough release keys say that a release exists.
  public boolean hasRelease(byte[] release, String signature) {
    return trusted(Role.RELEASE).trust(Purpose.RELEASE, release, signature);
  }

  /// Whether enough release keys say that a release may follow a newer one.
  public boolean mayGoBackTo(byte[] release, String signature) {
    return trusted(Role.RELEASE).trust(Purpose.DOWNGRADE, release, signature);
  }

  public boolean isExpired(Instant now) {
    return !now.isBefore(expiresAt);
  }
}
