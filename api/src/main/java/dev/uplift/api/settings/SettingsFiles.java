package dev.uplift.api.settings;

import java.io.IOException;
import java.nio.file.Path;

/// Files that settings name.
final class SettingsFiles {
  private static final int MIN_SECRET_CHARS = 16;

  private SettingsFiles() {}

  /// The characters of a file; a line break at its end is not one of them.
  static String text(Path file) throws IOException {
    return java.nio.file.Files.readString(file).stripTrailing();
  }

  /// As [#text], for what replaces a secret: an empty file is one that somebody is about to write.
  ///
  /// @throws IllegalArgumentException if it is empty
  static String textOfSecret(Path file) throws IOException {
    String text = text(file);
    if (text.isEmpty()) {
      throw new IllegalArgumentException("expected a secret, found an empty file");
    }
    return text;
  }

  /// A line each.
  static String secrets(Path file) throws IOException {
    String secret = text(file);
    if (secret.isEmpty() || secret.lines().anyMatch(line -> line.length() < MIN_SECRET_CHARS)) {
      throw new IllegalArgumentException("expected a secret of at least %d characters".formatted(MIN_SECRET_CHARS));
    }
    return secret;
  }

  /// The file itself, which is there.
  static Path readable(Path file) throws IOException {
    var _ = text(file);
    return file;
  }
}
