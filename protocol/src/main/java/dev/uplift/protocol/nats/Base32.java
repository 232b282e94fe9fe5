package dev.uplift.protocol.nats;

import java.io.ByteArrayOutputStream;

/// RFC 4648 without padding.
final class Base32 {
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int BITS = 5;

  private Base32() {}

  static String encode(byte[] bytes) {
    var text = new StringBuilder();
    int held = 0;
    int bits = 0;
    for (byte each : bytes) {
      held = ((held << Byte.SIZE) | (each & 0xFF)) & 0xFFFF;
      bits += Byte.SIZE;
      while (bits >= BITS) {
        bits -= BITS;
        text.append(ALPHABET.charAt((held >> bits) & 31));
      }
    }
    if (bits > 0) {
      text.append(ALPHABET.charAt((held << (BITS - bits)) & 31));
    }
    return text.toString();
  }

  /// Throws [IllegalArgumentException] at a character outside of the alphabet. Never shows the text, which may be a
  /// secret.
  static byte[] decode(String text) {
    var bytes = new ByteArrayOutputStream();
    int held = 0;
    int bits = 0;
    for (int i = 0; i < text.length(); i++) {
      int value = ALPHABET.indexOf(text.charAt(i));
      if (value < 0) {
        throw new IllegalArgumentException("not base 32");
      }
      held = ((held << BITS) | value) & 0xFFFF;
      bits += BITS;
      if (bits >= Byte.SIZE) {
        bits -= Byte.SIZE;
        bytes.write(held >> bits);
      }
    }
    return bytes.toByteArray();
  }
}
