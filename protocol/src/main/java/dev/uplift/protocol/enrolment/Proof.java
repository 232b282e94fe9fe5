package dev.uplift.protocol.enrolment;

import dev.uplift.protocol.nats.Nkey;
import java.util.Base64;

/// That somebody has a key: its signature, in base64url.
final class Proof {
  private Proof() {}

  static String of(Nkey key, byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(key.sign(bytes));
  }

  static boolean holds(String key, byte[] bytes, String signature) {
    try {
      return Nkey.isName(Nkey.Kind.USER, key)
          && Nkey.hasSigned(key, bytes, Base64.getUrlDecoder().decode(signature));
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
