package dev.uplift.protocol.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.nats.Nkey;

/// A host asks to join: it shows the secret of its token, and that it has the key.
///
/// @param key public name of the host's own key
/// @param signature by that key, over secret and key
public record JoinRequest(String tenant, String secret, String key, String signature) {
  private static final String PURPOSE = "uplift-join-v1";

  public JoinRequest {
    FieldLimits.requireTenant("tenant", tenant);
  }

  public static JoinRequest of(JoinToken token, Nkey key) {
    byte[] signed = signed(token.tenant(), token.secret(), key.publicKey());
    return new JoinRequest(token.tenant(), token.secret(), key.publicKey(), ProofOfPossession.sign(key, signed));
  }

  /// Returns whether the request is signed with the key it names.
  public boolean hasValidSignature() {
    return ProofOfPossession.verify(key, signed(tenant, secret, key), signature);
  }

  private static byte[] signed(String tenant, String secret, String key) {
    return String.join("\0", PURPOSE, tenant, secret, key).getBytes(UTF_8);
  }

  public byte[] write() {
    return JsonWriter.toBytes(jsonWriter ->
        jsonWriter.put("tenant", tenant).put("secret", secret).put("key", key).put("signature", signature));
  }

  public static JoinRequest read(byte[] json) {
    JsonObject in = JsonObject.parse(json);
    return new JoinRequest(in.string("tenant"), in.string("secret"), in.string("key"), in.string("signature"));
  }

  @Override
  public String toString() {
    return "request to join " + tenant + " with " + key;
  }
}
