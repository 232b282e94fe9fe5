package dev.uplift.agent.download;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// A digest that grows with what is added.
final class Sha256 {
  private static final int BUFFER = 64 * 1024;

  private final MessageDigest digest;

  Sha256() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static Sha256 of(Path file) throws IOException {
    var sha256 = new Sha256();
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        sha256.add(buffer, n);
      }
    }
    return sha256;
  }

  void add(byte[] bytes, int length) {
    digest.update(bytes, 0, length);
  }

  void reset() {
    digest.reset();
  }

  /// May be asked once.
  boolean isHex(String hex) {
    return HexFormat.of().formatHex(digest.digest()).equals(hex);
  }
}
