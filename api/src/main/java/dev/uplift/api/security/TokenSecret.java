package dev.uplift.api.security;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// The secret that tokens are signed with: a line of a file. Several lines are all valid, so that a secret can be
/// replaced.
public record TokenSecret(String text) {
  /// The length that HS256 needs for its full strength.
  private static final int MIN_BYTES = 32;

  /// No token is signed by this server's secret.
  public static final TokenSecret NONE = new TokenSecret("");

  public TokenSecret {
    if (secrets(text).stream().anyMatch(each -> each.length < MIN_BYTES)) {
      throw new IllegalArgumentException("expected a token secret of at least %d bytes".formatted(MIN_BYTES));
    }
  }

  /// Returns the secrets of a text, a line each.
  ///
  /// @throws IllegalArgumentException if there is none, or one is too short
  public static TokenSecret of(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("expected a token secret of at least %d bytes".formatted(MIN_BYTES));
    }
    return new TokenSecret(text);
  }

  List<byte[]> secrets() {
    return secrets(text);
  }

  private static List<byte[]> secrets(String text) {
    return text.lines().map(line -> line.getBytes(StandardCharsets.UTF_8)).toList();
  }

  /// Hides the secret.
  @Override
  public String toString() {
    return "(secret)";
  }
}
