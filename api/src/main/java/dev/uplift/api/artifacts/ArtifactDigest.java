package dev.uplift.api.artifacts;

import dev.uplift.api.request.RequestContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Pattern;

/// SHA-256 in hex, which names an artifact.
final class ArtifactDigest {
  private static final Pattern PATTERN = Pattern.compile("[0-9a-f]{64}");

  private ArtifactDigest() {}

  /// Returns a digest from a path, if it is valid.
  static String requireValid(String text) {
    if (!PATTERN.matcher(text).matches()) {
      throw RequestContext.invalidParameter(
          "sha256", "expected the SHA-256 of the bytes as 64 hex digits in lower case");
    }
    return text;
  }

  static MessageDigest newMessageDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
