package dev.uplift.temporaldev.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.io.function.Uncheck;

/// Files by relative path: the content of an archive or folder.
public final class FileTree {
  private final SequencedMap<String, byte[]> files = new TreeMap<>();
  private final Set<String> programs = new HashSet<>();

  public FileTree addFile(String path, byte[] bytes) {
    files.put(path, bytes);
    return this;
  }

  public FileTree addFile(String path, String text) {
    return addFile(path, text.getBytes(UTF_8));
  }

  public FileTree addProgram(String path, String script) {
    programs.add(path);
    return addFile(path, script);
  }

  /// Adds all files of another tree below a folder.
  public FileTree addAll(String folder, FileTree other) {
    other.files.forEach((path, bytes) -> files.put(folder + "/" + path, bytes));
    other.programs.forEach(path -> programs.add(folder + "/" + path));
    return this;
  }

  /// Packs the files. Deterministic: equal trees give equal bytes, without times and owners.
  public byte[] toTarGz() {
    var bytes = new ByteArrayOutputStream();
    try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes), UTF_8.name())) {
      for (var file : files.entrySet()) {
        tar.putArchiveEntry(entry(file.getKey(), file.getValue().length));
        tar.write(file.getValue());
        tar.closeArchiveEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("in memory", e);
    }
    return bytes.toByteArray();
  }

  private TarArchiveEntry entry(String path, int size) {
    var entry = new TarArchiveEntry(path);
    entry.setSize(size);
    entry.setMode(programs.contains(path) ? 0755 : 0644);
    entry.setModTime(0);
    entry.setUserName("");
    return entry;
  }

  public void writeTo(Path folder) {
    files.forEach((path, bytes) -> write(folder.resolve(path), bytes, programs.contains(path)));
  }

  private static void write(Path file, byte[] bytes, boolean program) {
    Uncheck.run(() -> {
      Files.createDirectories(file.resolveSibling(""));
      Files.write(file, bytes);
      if (program) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    });
  }
}
