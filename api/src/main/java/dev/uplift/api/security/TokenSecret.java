package dev.uplift.api.security;

import java.nio.charset.StandardCharsets;

/// What tokens are signed with: the characters of a file.
public record TokenSecret(String text) {
  /// As many as HS256 needs to be as strong as it says.
  private static final int LEAST_BYTES = 32;

  public TokenSecret {
    if (text.getBytes(StandardCharsets.UTF_8).length < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "the secret of tokens needs at least %d bytes".formatted(LEAST_BYTES));
    }
  }

  byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /// Says nothing.
  @Override
  public String toString() {
    return "(secret)";
  }
}
