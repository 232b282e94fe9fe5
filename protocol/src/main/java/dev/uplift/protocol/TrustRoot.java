package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.json.WireEnum;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.TrustedKey;
import dev.uplift.protocol.signature.TrustedKeys;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// `root.json`: names the keys that count in a tenant, by role. The signature covers the bytes as they were written;
/// they are never written again from what was read. Each root follows the one before, see
/// [SignedTrustRoot#verifyAsSuccessorOf].
///
/// @param version rises by one from root to root
/// @param expiresAt from then on no new work is begun under it
/// @param keys by id; each has exactly one role
public record TrustRoot(
    String tenant, long version, Instant expiresAt, SortedMap<String, TrustedKey> keys, Map<Role, RoleKeys> roles) {
  public static final int MAX_BYTES = 8 * 1024;
  public static final int MAX_SIGNATURE_CHARS = 4096;
  public static final int MAX_KEYS = 32;

  /// The purpose that the signature of a key is valid for.
  public enum Role implements WireEnum {
    /// Says which keys have which role. Offline.
    ROOT,
    /// Says which releases exist. Offline.
    RELEASE,
    /// Says what a host does now. The server's.
    COMMAND
  }

  /// The keys of a role.
  ///
  /// @param threshold how many of them have to sign
  /// @param keys ids; for `command` the server uses the last one that it has
  public record RoleKeys(int threshold, List<String> keys) {
    public RoleKeys {
      keys = List.copyOf(keys);
    }
  }

  public TrustRoot {
    FieldLimits.requireTenant("tenant", tenant);
    FieldLimits.requireBetween("version", version, 1, Long.MAX_VALUE);
    FieldLimits.requireBetween("keys (entries)", keys.size(), 1, MAX_KEYS);
    keys = Collections.unmodifiableSortedMap(new TreeMap<>(keys));
    keys.forEach((id, key) -> FieldLimits.require(id.equals(key.id()), "keys." + id, "the id of its key, " + key.id()));
    roles = Collections.unmodifiableMap(new EnumMap<>(roles));
    List<String> given = new ArrayList<>();
    for (Role role : Role.values()) {
      given.addAll(checked(role, roles.get(role), keys));
    }
    List<String> once = new ArrayList<>(keys.keySet());
    given.sort(String::compareTo);
    FieldLimits.require(given.equals(once), "roles", "each of keys in exactly one role, once");
  }

  private static List<String> checked(Role role, @Nullable RoleKeys roleKeys, Map<String, TrustedKey> keys) {
    String name = "roles." + role.wireName();
    if (roleKeys == null) {
      throw new MalformedMessage(name + ": expected an object, found none");
    }
    FieldLimits.requireBetween(name + ".threshold", roleKeys.threshold, 1, roleKeys.keys.size());
    // A command has one signature.
    FieldLimits.require(role != Role.COMMAND || roleKeys.threshold == 1, name + ".threshold", "1, found more");
    roleKeys.keys.forEach(id -> FieldLimits.require(keys.containsKey(id), name, id + " among keys"));
    return roleKeys.keys;
  }

  /// Bytes that are too many, not JSON or not a root are a [MalformedMessage].
  public static TrustRoot read(byte[] json) {
    JsonObject in = JsonObject.parse(FieldLimits.requireMaxBytes("root", json, MAX_BYTES));
    var keys = new TreeMap<String, TrustedKey>();
    in.stringMap("keys").forEach((id, spki) -> keys.put(id, TrustedKey.of(spki)));
    JsonObject roles = in.object("roles");
    var holders = new EnumMap<Role, RoleKeys>(Role.class);
    Arrays.stream(Role.values())
        .filter(role -> roles.has(role.wireName()))
        .forEach(role -> holders.put(role, roleKeys(roles.object(role.wireName()))));
    return new TrustRoot(in.string("tenant"), in.number("version"), in.instant("expires_at"), keys, holders);
  }

  private static RoleKeys roleKeys(JsonObject in) {
    int threshold = Math.clamp(in.number("threshold"), 0, Integer.MAX_VALUE);
    return new RoleKeys(threshold, in.stringListOr("keys", List.of()));
  }

  public byte[] write() {
    return FieldLimits.requireMaxBytes("root", JsonWriter.toBytes(this::write), MAX_BYTES);
  }

  private void write(JsonWriter out) {
    out.put("tenant", tenant).put("version", version).put("expires_at", expiresAt);
    var texts = new TreeMap<String, String>();
    keys.forEach((id, key) -> texts.put(id, key.spki()));
    out.put("keys", texts);
    out.put(
        "roles",
        all ->
            roles.forEach((role, roleKeys) ->
                all.put(
                    role.wireName(), inner -> inner.put("threshold", roleKeys.threshold).put("keys", roleKeys.keys))));
  }

  public RoleKeys roleKeys(Role role) {
    RoleKeys roleKeys = roles.get(role);
    if (roleKeys == null) {
      throw new IllegalStateException("every root has " + role);
    }
    return roleKeys;
  }

  /// Returns the SHA-256, in hex, of the keys that say which root comes next, and of how many of them have to agree.
  /// The same for all roots that differ in other keys only.
  public String rootKeysHash() {
    RoleKeys rootKeys = roleKeys(Role.ROOT);
    var text = new StringBuilder("uplift-root-keys-v1\0").append(rootKeys.threshold);
    for (String id : new TreeSet<>(rootKeys.keys)) {
      TrustedKey key = keys.get(id);
      text.append('\0').append(key == null ? id : key.spki());
    }
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// The keys that have to sign for a role.
  public TrustedKeys trustedKeys(Role role) {
    RoleKeys roleKeys = roleKeys(role);
    return TrustedKeys.of(roleKeys.threshold, roleKeys.keys.stream().map(id -> keys.get(id)).toList());
  }

  /// Returns whether enough release keys have signed the release.
  public boolean verifyRelease(byte[] release, String signature) {
    return trustedKeys(Role.RELEASE).verify(SignatureDomain.RELEASE, release, signature);
  }

  /// Returns whether enough release keys have signed that the release may follow a newer one.
  public boolean verifyDowngrade(byte[] release, String signature) {
    return trustedKeys(Role.RELEASE).verify(SignatureDomain.DOWNGRADE, release, signature);
  }

  public boolean isExpired(Instant now) {
    return !now.isBefore(expiresAt);
  }
}
