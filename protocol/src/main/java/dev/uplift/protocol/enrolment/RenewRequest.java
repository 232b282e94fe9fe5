package dev.uplift.protocol.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Bounds;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.Json;
import dev.uplift.protocol.nats.Nkey;

/// A host of the fleet asks for a new ticket: for the key that it has, or for another one, which is
/// then good beside it until the host shows that it has it: by asking with it.
///
/// @param newKey empty where the key stays
/// @param signature by `key`
/// @param newSignature by `newKey`; empty where there is none
public record RenewRequest(
    String tenant, String host, String key, String newKey, String signature, String newSignature) {
  private static final String PURPOSE = "uplift-renew-v1";

  public RenewRequest {
    Bounds.tenant("tenant", tenant);
    Bounds.host("host", host);
  }

  /// The key stays.
  public static RenewRequest of(String tenant, String host, Nkey key) {
    byte[] signed = signed(tenant, host, key.name(), "");
    return new RenewRequest(tenant, host, key.name(), "", Proof.of(key, signed), "");
  }

  /// Another key is to come.
  public static RenewRequest of(String tenant, String host, Nkey key, Nkey next) {
    byte[] signed = signed(tenant, host, key.name(), next.name());
    return new RenewRequest(
        tenant, host, key.name(), next.name(), Proof.of(key, signed), Proof.of(next, signed));
  }

  /// Whether the asker has the key, and the new one where there is one.
  public boolean isGenuine() {
    byte[] signed = signed(tenant, host, key, newKey);
    return Proof.holds(key, signed, signature)
        && (newKey.isEmpty() || Proof.holds(newKey, signed, newSignature));
  }

  private static byte[] signed(String tenant, String host, String key, String newKey) {
    return String.join("\0", PURPOSE, tenant, host, key, newKey).getBytes(UTF_8);
  }

  public byte[] write() {
    return Json.object(json ->
        json.put("tenant", tenant)
            .put("host", host)
            .put("key", key)
            .putUnlessEmpty("new_key", newKey)
            .put("signature", signature)
            .putUnlessEmpty("new_signature", newSignature));
  }

  public static RenewRequest read(byte[] json) {
    Fields in = Fields.of(json);
    return new RenewRequest(
        in.text("tenant"),
        in.text("host"),
        in.text("key"),
        in.textOr("new_key", ""),
        in.text("signature"),
        in.textOr("new_signature", ""));
  }
}
