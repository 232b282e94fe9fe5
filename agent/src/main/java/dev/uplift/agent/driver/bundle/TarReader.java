package dev.uplift.agent.driver.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.bundle.TarEntry.Kind;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/// Reads a tar archive, as it is or by gzip: ustar, with the long names of GNU and pax. Knows files, folders and
/// symbolic links; anything else is a [InvalidArchive], as is an archive that ends too early.
final class TarReader implements Closeable {
  private static final int BLOCK = 512;
  private static final int MAX_EXTENSION = 64 * 1024;

  private final InputStream in;
  private final byte[] block = new byte[BLOCK];

  /// Unread content of the current entry, and the padding after it.
  private long remaining;

  private long padding;

  private TarReader(InputStream in) {
    this.in = in;
  }

  static TarReader open(Path archive) throws IOException {
    InputStream file = new BufferedInputStream(Files.newInputStream(archive), BLOCK * 64);
    try {
      file.mark(2);
      boolean zipped = file.read() == 0x1f && file.read() == 0x8b;
      file.reset();
      return new TarReader(zipped ? new GZIPInputStream(file, BLOCK * 64) : file);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  /// The next file, folder or link; empty at the end. What is left of the one before is skipped.
  Optional<TarEntry> next() throws IOException {
    TarExtensions extensions = TarExtensions.NONE;
    while (true) {
      skip(remaining + padding);
      readBlock();
      if (isZero()) {
        return Optional.empty();
      }
      TarHeader header = TarHeader.of(block);
      switch (header.type()) {
        case 'L' -> extensions = extensions.withName(TarExtensions.text(content(header)));
        case 'K' -> extensions = extensions.withTarget(TarExtensions.text(content(header)));
        case 'x' -> extensions = extensions.with(content(header));
        // Comments and time stamps for all entries.
        case 'g' -> content(header);
        default -> {
          return Optional.of(entry(header, extensions));
        }
      }
    }
  }

  private TarEntry entry(TarHeader header, TarExtensions extensions) throws IOException {
    String name = extensions.nameOr(header.name());
    Kind kind =
        switch (header.type()) {
          // Before folders had a type, their names ended with a slash.
          case '0', '\0' -> name.endsWith("/") ? Kind.FOLDER : Kind.FILE;
          case '5' -> Kind.FOLDER;
          case '2' -> Kind.LINK;
          default ->
              throw new InvalidArchive(name + ": a thing of type '" + header.type() + "', not a file, folder or link");
        };
    long size = kind == Kind.FILE ? extensions.sizeOr(header.size()) : 0;
    startContent(size);
    return new TarEntry(name, kind, header.mode(), size, extensions.targetOr(header.target()));
  }

  /// Content of the current entry.
  ///
  /// @return how many bytes, -1 at its end
  int read(byte[] buffer) throws IOException {
    if (remaining == 0) {
      return -1;
    }
    int n = in.read(buffer, 0, (int) Math.min(buffer.length, remaining));
    if (n < 0) {
      throw endsTooEarly();
    }
    remaining -= n;
    return n;
  }

  private byte[] content(TarHeader header) throws IOException {
    if (header.size() > MAX_EXTENSION) {
      throw new InvalidArchive("a name of " + header.size() + " bytes");
    }
    startContent(header.size());
    byte[] content = in.readNBytes((int) header.size());
    remaining -= content.length;
    return content;
  }

  private void startContent(long size) {
    remaining = size;
    padding = -size & (BLOCK - 1);
  }

  private void readBlock() throws IOException {
    if (in.readNBytes(block, 0, BLOCK) < BLOCK) {
      throw endsTooEarly();
    }
  }

  private void skip(long bytes) throws IOException {
    try {
      in.skipNBytes(bytes);
    } catch (EOFException _) {
      throw endsTooEarly();
    }
    startContent(0);
  }

  private boolean isZero() {
    for (byte each : block) {
      if (each != 0) {
        return false;
      }
    }
    return true;
  }

  static String textOf(byte[] bytes, int start, int longest) {
    int end = start;
    while (end < start + longest && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, start, end - start, UTF_8);
  }

  private static InvalidArchive endsTooEarly() {
    return new InvalidArchive("the archive ends too early");
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
