package dev.uplift.api.artifacts;

import dev.uplift.api.call.Call;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Pattern;

/// SHA-256 in hex, by which an artifact is named.
final class Digest {
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

  private Digest() {}

  /// A digest that stands in a path.
  static String checked(String text) {
    if (!FORM.matcher(text).matches()) {
      throw Call.wrong(
          "sha256", "expected the SHA-256 of the bytes as 64 hex digits in lower case");
    }
    return text;
  }

  static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
