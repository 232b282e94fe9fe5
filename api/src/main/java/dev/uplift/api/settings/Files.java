package dev.uplift.api.settings;

import java.io.IOException;
import java.nio.file.Path;

/// Files that settings name.
final class Files {
  private static final int LEAST_SECRET = 16;

  private Files() {}

  /// The characters of a file; a line break at its end is not one of them.
  static String text(Path file) throws IOException {
    return java.nio.file.Files.readString(file).stripTrailing();
  }

  /// A line each.
  static String secrets(Path file) throws IOException {
    String secret = text(file);
    if (secret.isEmpty() || secret.lines().anyMatch(line -> line.length() < LEAST_SECRET)) {
      throw new IllegalArgumentException(
          "expected a secret of at least %d characters".formatted(LEAST_SECRET));
    }
    return secret;
  }

  /// The file itself, which is there.
  static Path readable(Path file) throws IOException {
    var _ = text(file);
    return file;
  }
}
