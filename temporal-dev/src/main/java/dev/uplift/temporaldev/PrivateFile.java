package dev.uplift.temporaldev;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/// Text files that only their owner may read (0600), in folders that only their owner may enter.
/// Written whole or not at all.
final class PrivateFile {
  private PrivateFile() {}

  static void write(Path file, String text) {
    write(file, text.getBytes(UTF_8));
  }

  static void write(Path file, byte[] bytes) {
    try {
      folder(file.resolveSibling(""));
      Path part = file.resolveSibling("." + file.getFileName() + ".part");
      Files.deleteIfExists(part);
      Files.createFile(
          part, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(part, bytes);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What the file says; it is made first where there is none.
  static String readOrMake(Path file, Supplier<String> text) {
    if (!Files.exists(file)) {
      write(file, text.get());
    }
    return read(file);
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path folder(Path folder) {
    try {
      return Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
