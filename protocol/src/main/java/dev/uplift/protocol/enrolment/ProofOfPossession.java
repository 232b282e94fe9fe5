package dev.uplift.protocol.enrolment;

import dev.uplift.protocol.nats.Nkey;
import java.util.Base64;

/// Proves the possession of a key: its signature, in base64url.
final class ProofOfPossession {
  private ProofOfPossession() {}

  static String sign(Nkey key, byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(key.sign(bytes));
  }

  static boolean verify(String key, byte[] bytes, String signature) {
    try {
      return Nkey.isPublicKey(Nkey.Kind.USER, key) && Nkey.verify(key, bytes, Base64.getUrlDecoder().decode(signature));
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
