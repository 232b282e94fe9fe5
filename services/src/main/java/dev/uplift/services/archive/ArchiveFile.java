package dev.uplift.services.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.NameRule;
import dev.uplift.store.archive.RowConsumer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/// One file of an archive: rows as JSON, one a line, compressed with gzip. Beside it is its SHA-256, as `sha256sum`
/// writes and checks it. A file under its final name is complete and on the disk.
final class ArchiveFile implements RowConsumer, AutoCloseable {
  private static final ObjectMapper JSON = JsonMapper.builder().build();
  private static final String SUFFIX = ".jsonl.gz";
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path file;
  private final Path part;
  private final FileChannel channel;
  private final MessageDigest digest = sha256();
  private final OutputStream lines;
  private long rows;

  private ArchiveFile(Path file) throws IOException {
    this.file = file;
    this.part = sibling(file, ".part");
    Files.deleteIfExists(part);
    this.channel = FileChannel.open(part, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY);
    this.lines =
        new GZIPOutputStream(
            new DigestOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)), digest), 1 << 16);
  }

  /// Begins a file in the tenant's folder; one that was begun under this name before and not completed is replaced.
  ///
  /// @param name without an ending
  static ArchiveFile create(Path folder, String tenant, String name) {
    NameRule.TENANT.requireValid(tenant);
    try {
      Path home = Files.createDirectories(folder.resolve(tenant));
      return new ArchiveFile(home.resolve(name + SUFFIX));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void accept(String table, SequencedMap<String, @Nullable Object> columns) {
    try {
      lines.write(JSON.writeValueAsBytes(Map.of("table", table, "row", columns)));
      lines.write('\n');
      rows++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long rows() {
    return rows;
  }

  Path path() {
    return file;
  }

  /// Makes the file durable, and visible under its name.
  void complete() {
    try {
      lines.flush();
      finish();
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      try (FileChannel entries = FileChannel.open(file.resolveSibling("."), StandardOpenOption.READ)) {
        entries.force(true);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void finish() throws IOException {
    ((GZIPOutputStream) lines).finish();
    lines.flush();
    channel.force(true);
    String sum = HexFormat.of().formatHex(digest.digest()) + "  " + file.getFileName() + "\n";
    Path sumFile = sibling(file, ".sha256");
    Files.deleteIfExists(sumFile);
    try (FileChannel out =
        FileChannel.open(sumFile, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_ONLY)) {
      Channels.newOutputStream(out).write(sum.getBytes(UTF_8));
      out.force(true);
    }
  }

  /// Deletes the file unless it is complete.
  @Override
  public void close() {
    try {
      channel.close();
      Files.deleteIfExists(part);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path sibling(Path file, String ending) {
    return file.resolveSibling(file.getFileName() + ending);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
