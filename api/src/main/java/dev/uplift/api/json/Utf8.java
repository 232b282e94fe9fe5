package dev.uplift.api.json;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Decodes strictly: whatever decodes leniently turns wrong bytes into replacement characters without a word.
public final class Utf8 {
  private Utf8() {}

  /// Returns how many bytes at the beginning are UTF-8: all of them, unless a wrong one follows.
  static int validLength(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    var decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer out = CharBuffer.allocate(1024);
    while (true) {
      var result = decoder.decode(in, out, true);
      if (!result.isOverflow()) {
        return in.position();
      }
      out.clear();
    }
  }

  /// Returns whether the percent-encoded bytes of a path or a query are UTF-8.
  ///
  /// @param raw as it was sent; `null` if there is none
  public static boolean isPercentEncoded(@Nullable String raw) {
    if (raw == null) {
      return true;
    }
    byte[] bytes = percentDecoded(raw);
    return validLength(bytes) == bytes.length;
  }

  private static byte[] percentDecoded(String raw) {
    var bytes = new ByteArrayOutputStream();
    int i = 0;
    while (i < raw.length()) {
      // The parser of the address has checked that two digits follow.
      if (raw.charAt(i) == '%') {
        bytes.write(Integer.parseInt(raw, i + 1, i + 3, 16));
        i += 3;
      } else {
        bytes.write(raw.charAt(i));
        i++;
      }
    }
    return bytes.toByteArray();
  }
}
