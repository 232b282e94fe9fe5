package dev.uplift.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/// A key that everybody knows: the first test key of RFC 8032, section 7.1. Good for examples only.
final class TestKey {
  static final Path FILE = Golden.FOLDER.resolve("keys/private.pem");
  static final Path TRUST = Golden.FOLDER.resolve("keys/trust");

  static final SigningKey RFC_8032 = read();

  private TestKey() {}

  private static SigningKey read() {
    try {
      return SigningKey.read(FILE);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
