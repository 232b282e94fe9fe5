package dev.uplift.fleet.window;

import dev.uplift.fleet.DeviceId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The position of a device among all that start in the same opening, or because of the same policy, so that not all
/// start at once.
///
/// The first eight bytes of the SHA-256 of `<tenant>/<device>`, read as a fraction of one: the same in every opening,
/// on every server and in every version, and even over many devices.
public final class StartSpread {
  private StartSpread() {}

  /// Returns the device's offset within so many seconds, from 0, exclusive of the end.
  public static long offsetSeconds(DeviceId device, long of) {
    return Math.unsignedMultiplyHigh(hash(device), of);
  }

  private static long hash(DeviceId device) {
    try {
      byte[] name = device.toString().getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(name)).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
