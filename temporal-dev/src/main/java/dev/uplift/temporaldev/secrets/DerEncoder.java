package dev.uplift.temporaldev.secrets;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// As much of DER as a certificate takes.
final class DerEncoder {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private DerEncoder() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, join(parts));
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, join(parts));
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] bool(boolean value) {
    return tagged(0x01, new byte[] {(byte) (value ? 0xFF : 0)});
  }

  static byte[] utf8String(String value) {
    return tagged(0x0C, value.getBytes(UTF_8));
  }

  static byte[] octetString(byte[] value) {
    return tagged(0x04, value);
  }

  /// @param unused how many bits at the end do not count
  static byte[] bitString(byte[] value, int unused) {
    return tagged(0x03, join(new byte[] {(byte) unused}, value));
  }

  /// Before 2050.
  static byte[] utcTime(Instant at) {
    return tagged(0x17, TIME.format(at).getBytes(US_ASCII));
  }

  /// An object identifier such as `2.5.29.17`.
  static byte[] objectIdentifier(String dotted) {
    String[] parts = dotted.split("\\.", -1);
    var body = new ByteArrayOutputStream();
    body.write(40 * Integer.parseInt(parts[0]) + Integer.parseInt(parts[1]));
    for (int i = 2; i < parts.length; i++) {
      base128(body, Long.parseLong(parts[i]));
    }
    return tagged(0x06, body.toByteArray());
  }

  private static void base128(ByteArrayOutputStream out, long value) {
    int groups = 1;
    for (long rest = value >> 7; rest > 0; rest >>= 7) {
      groups++;
    }
    for (int i = groups - 1; i >= 0; i--) {
      int low = (int) (value >> (7 * i)) & 0x7F;
      out.write(i == 0 ? low : low | 0x80);
    }
  }

  static byte[] tagged(int tag, byte[] body) {
    var out = new ByteArrayOutputStream();
    out.write(tag);
    if (body.length < 128) {
      out.write(body.length);
    } else {
      byte[] length = BigInteger.valueOf(body.length).toByteArray();
      int from = length[0] == 0 ? 1 : 0;
      out.write(0x80 | (length.length - from));
      out.write(length, from, length.length - from);
    }
    out.writeBytes(body);
    return out.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
