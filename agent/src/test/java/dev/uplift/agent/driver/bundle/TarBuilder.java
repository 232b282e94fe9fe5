package dev.uplift.agent.driver.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/// Makes archives, good ones and evil ones.
public final class TarBuilder {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  public TarBuilder file(String name, String content) {
    return file(name, content, 0644);
  }

  public TarBuilder program(String name, String content) {
    return file(name, content, 0755);
  }

  TarBuilder file(String name, String content, int mode) {
    byte[] bytes = content.getBytes(UTF_8);
    return entry(name, '0', mode, bytes.length, "").content(bytes);
  }

  TarBuilder folder(String name) {
    return entry(name, '5', 0755, 0, "");
  }

  TarBuilder symlink(String name, String target) {
    return entry(name, '2', 0777, 0, target);
  }

  /// Adds only a header with these fields.
  public TarBuilder entry(String name, char type, int mode, long size, String target) {
    byte[] block = new byte[512];
    put(block, 0, name);
    put(block, 100, "%07o".formatted(mode));
    put(block, 108, "%07o".formatted(0));
    put(block, 116, "%07o".formatted(0));
    put(block, 124, "%011o".formatted(size));
    put(block, 136, "%011o".formatted(0));
    put(block, 148, "        ");
    block[156] = (byte) type;
    put(block, 157, target);
    put(block, 257, "ustar\0" + "00");
    long sum = 0;
    for (byte each : block) {
      sum += each & 0xff;
    }
    put(block, 148, "%06o\0 ".formatted(sum));
    out.writeBytes(block);
    return this;
  }

  /// As GNU tar does it: the name is the content of an entry before.
  TarBuilder longName(String name) {
    byte[] bytes = (name + "\0").getBytes(UTF_8);
    return entry("././@LongLink", 'L', 0, bytes.length, "").content(bytes);
  }

  /// As POSIX does it: records before the entry.
  TarBuilder pax(String key, String value) {
    int rest = (" " + key + "=" + value + "\n").getBytes(UTF_8).length;
    int length = rest + 1;
    while (Integer.toString(length).length() + rest != length) {
      length++;
    }
    byte[] bytes = (length + " " + key + "=" + value + "\n").getBytes(UTF_8);
    return entry("pax", 'x', 0644, bytes.length, "").content(bytes);
  }

  public TarBuilder content(byte[] bytes) {
    out.writeBytes(bytes);
    out.writeBytes(new byte[-bytes.length & 511]);
    return this;
  }

  private static void put(byte[] block, int at, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    System.arraycopy(bytes, 0, block, at, bytes.length);
  }

  byte[] withoutEnd() {
    return out.toByteArray();
  }

  byte[] tar() {
    var whole = new ByteArrayOutputStream();
    whole.writeBytes(out.toByteArray());
    whole.writeBytes(new byte[1024]);
    return whole.toByteArray();
  }

  public byte[] tarGz() {
    var zipped = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(zipped)) {
      gzip.write(tar());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zipped.toByteArray();
  }
}
