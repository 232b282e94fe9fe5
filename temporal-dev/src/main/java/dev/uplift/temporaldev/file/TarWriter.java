package dev.uplift.temporaldev.file;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/// Writes a tar archive (ustar) of regular files.
final class TarWriter {
  private static final int BLOCK = 512;
  private static final int NAME_LENGTH = 100;

  private final ByteArrayOutputStream tar = new ByteArrayOutputStream();

  void add(String name, byte[] content, boolean program) {
    if (name.length() > NAME_LENGTH) {
      throw new IllegalArgumentException(name + ": a name has at most " + NAME_LENGTH + " bytes");
    }
    tar.writeBytes(header(name, content.length, program ? 0755 : 0644));
    tar.writeBytes(content);
    tar.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
  }

  byte[] toGzip() {
    // Two empty blocks end a tar.
    tar.writeBytes(new byte[2 * BLOCK]);
    var compressed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(compressed)) {
      tar.writeTo(gzip);
    } catch (IOException e) {
      throw new UncheckedIOException("in memory", e);
    }
    return compressed.toByteArray();
  }

  private static byte[] header(String name, int size, int mode) {
    byte[] header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, "%07o".formatted(mode));
    put(header, 108, "%07o".formatted(0));
    put(header, 116, "%07o".formatted(0));
    put(header, 124, "%011o".formatted(size));
    put(header, 136, "%011o".formatted(0));
    put(header, 156, "0");
    put(header, 257, "ustar\00000");
    // The checksum is computed with blanks in its place.
    Arrays.fill(header, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, "%06o\0 ".formatted(sum));
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
