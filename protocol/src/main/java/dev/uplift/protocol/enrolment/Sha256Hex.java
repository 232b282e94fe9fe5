package dev.uplift.protocol.enrolment;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

final class Sha256Hex {
  private Sha256Hex() {}

  /// In hex.
  static String of(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
