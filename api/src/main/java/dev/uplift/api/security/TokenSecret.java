package dev.uplift.api.security;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// What tokens are signed with: the characters of a line of a file. There may be several lines,
/// each as good, while one is exchanged for another.
public record TokenSecret(String text) {
  /// As many as HS256 needs to be as strong as it says.
  private static final int MIN_BYTES = 32;

  public TokenSecret {
    if (text.isEmpty() || secrets(text).stream().anyMatch(each -> each.length < MIN_BYTES)) {
      throw new IllegalArgumentException(
          "the secret of tokens needs at least %d bytes".formatted(MIN_BYTES));
    }
  }

  List<byte[]> secrets() {
    return secrets(text);
  }

  private static List<byte[]> secrets(String text) {
    return text.lines().map(line -> line.getBytes(StandardCharsets.UTF_8)).toList();
  }

  /// Says nothing.
  @Override
  public String toString() {
    return "(secret)";
  }
}
