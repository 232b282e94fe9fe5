package dev.uplift.protocol.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.nats.Nkey;

/// A host asks for a new user JWT: for the key that it has, or for another one, which is then valid beside it until the
/// host has used it.
///
/// @param challenge of the server, so that a request cannot be used later; empty in the first, which gets one
/// @param newKey empty if the key stays
/// @param signature by `key`
/// @param newSignature by `newKey`; empty if there is none
public record RenewRequest(
    String tenant, String host, String key, String newKey, String challenge, String signature, String newSignature) {
  /// The header in which the server answers a request without a fresh challenge with one.
  public static final String CHALLENGE_HEADER = "Uplift-Challenge";

  public static final String CHALLENGE_REQUIRED = "challenge-required";

  private static final String PURPOSE = "uplift-renew-v1";
  private static final int MAX_CHALLENGE_CHARS = 256;

  public RenewRequest {
    FieldLimits.requireTenant("tenant", tenant);
    FieldLimits.requireHost("host", host);
    FieldLimits.requireMaxChars("challenge", challenge, MAX_CHALLENGE_CHARS);
  }

  /// The key stays.
  public static RenewRequest of(String tenant, String host, Nkey key, String challenge) {
    byte[] signed = signed(tenant, host, key.publicKey(), "", challenge);
    return new RenewRequest(tenant, host, key.publicKey(), "", challenge, ProofOfPossession.sign(key, signed), "");
  }

  /// Another key is to come.
  public static RenewRequest of(String tenant, String host, Nkey key, Nkey next, String challenge) {
    byte[] signed = signed(tenant, host, key.publicKey(), next.publicKey(), challenge);
    return new RenewRequest(
        tenant,
        host,
        key.publicKey(),
        next.publicKey(),
        challenge,
        ProofOfPossession.sign(key, signed),
        ProofOfPossession.sign(next, signed));
  }

  /// Returns whether the request is signed with the key, and with the new one if there is one.
  public boolean hasValidSignatures() {
    byte[] signed = signed(tenant, host, key, newKey, challenge);
    return ProofOfPossession.verify(key, signed, signature)
        && (newKey.isEmpty() || ProofOfPossession.verify(newKey, signed, newSignature));
  }

  private static byte[] signed(String tenant, String host, String key, String newKey, String challenge) {
    return String.join("\0", PURPOSE, tenant, host, key, newKey, challenge).getBytes(UTF_8);
  }

  public byte[] write() {
    return JsonWriter.toBytes(jsonWriter ->
        jsonWriter
            .put("tenant", tenant)
            .put("host", host)
            .put("key", key)
            .putUnlessEmpty("new_key", newKey)
            .putUnlessEmpty("challenge", challenge)
            .put("signature", signature)
            .putUnlessEmpty("new_signature", newSignature));
  }

  public static RenewRequest read(byte[] json) {
    JsonObject in = JsonObject.parse(json);
    return new RenewRequest(
        in.string("tenant"),
        in.string("host"),
        in.string("key"),
        in.stringOr("new_key", ""),
        in.stringOr("challenge", ""),
        in.string("signature"),
        in.stringOr("new_signature", ""));
  }
}
