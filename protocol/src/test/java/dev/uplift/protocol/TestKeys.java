package dev.uplift.protocol;

import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.protocol.signature.TrustedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;

/// Public keys with known private keys: the first three test keys of RFC 8032, section 7.1. Good for examples only.
final class TestKeys {
  // Not GoldenMessage.FOLDER: the messages of that class are signed with these keys.
  private static final Path FOLDER = Path.of("src/test/resources/golden/keys");
  static final Path PUBLIC = FOLDER.resolve("trust/rfc-8032.pem");

  static final SigningKey RFC_8032 = read("private.pem");
  static final SigningKey RELEASE = read("release.pem");
  static final SigningKey COMMAND = read("command.pem");

  static final TrustedKeys TRUSTED = TrustedKeys.of(1, List.of(RFC_8032.trustedKey()));

  private TestKeys() {}

  private static SigningKey read(String name) {
    try {
      return SigningKey.read(FOLDER.resolve(name));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
