package dev.uplift.protocol.signature;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/// Names and formats of Ed25519 keys.
final class Ed25519Keys {
  static final String ALGORITHM = "Ed25519";

  private static final int RAW_BYTES = 32;

  private Ed25519Keys() {}

  /// The first 16 hex digits of the SHA-256 of the raw public key.
  static String id(PublicKey key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(raw(key));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  static byte[] raw(PublicKey key) {
    byte[] spki = key.getEncoded();
    return Arrays.copyOfRange(spki, spki.length - RAW_BYTES, spki.length);
  }

  static String toPem(String label, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der), label);
  }

  /// The bytes of a file that has one PEM block of this label.
  static byte[] fromPem(Path file, String label) throws IOException, GeneralSecurityException {
    String text = new String(Files.readAllBytes(file), US_ASCII);
    String begin = "-----BEGIN " + label + "-----";
    int from = text.indexOf(begin);
    int to = text.indexOf("-----END " + label + "-----");
    if (from < 0 || to < from) {
      throw new GeneralSecurityException(file + ": expected a PEM block " + label);
    }
    try {
      return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException(file + ": not base 64", e);
    }
  }
}
