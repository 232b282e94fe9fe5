package dev.uplift.cli.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/// Files that only their owner may read (0600), in folders that only their owner may enter. Writes are atomic.
public final class PrivateFile {
  private PrivateFile() {}

  public static void write(Path file, String text) {
    write(file, text.getBytes(UTF_8));
  }

  public static void write(Path file, byte[] bytes) {
    try {
      createFolder(file.resolveSibling(""));
      Path part = file.resolveSibling("." + file.getFileName() + ".part");
      Files.deleteIfExists(part);
      Files.createFile(part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(part, bytes);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns the content of the file, which is created first if it does not exist.
  public static String readOrCreate(Path file, Supplier<String> text) {
    if (!Files.exists(file)) {
      write(file, text.get());
    }
    return read(file);
  }

  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Path createFolder(Path folder) {
    try {
      return Files.createDirectories(
          folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
