package dev.uplift.cli.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Files that a person names on the command line: failures are one line with the name of the file.
public final class UserFile {
  private UserFile() {}

  public static byte[] readBytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw cannotRead(file, e);
    }
  }

  public static String readText(Path file) {
    return new String(readBytes(file), UTF_8);
  }

  /// Reads a file with a secret, which only its owner may read.
  public static String readPrivate(Path file) {
    try {
      if (isReadableByOthers(file)) {
        throw new CliException(
            CliException.USAGE, file + " has a secret and other users can read it: chmod 600 " + file);
      }
    } catch (IOException e) {
      throw cannotRead(file, e);
    }
    return readText(file);
  }

  private static boolean isReadableByOthers(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      // No permissions of this kind, as on Windows.
      return false;
    }
    PosixFileAttributes attributes = view.readAttributes();
    // A pipe, such as <(pass uplift), is not kept.
    return attributes.isRegularFile()
        && (attributes.permissions().contains(PosixFilePermission.GROUP_READ)
            || attributes.permissions().contains(PosixFilePermission.OTHERS_READ));
  }

  /// Returns the content of a file; empty if it does not exist.
  public static String readIfPresent(Path file) {
    return Files.exists(file) ? readText(file) : "";
  }

  public static ObjectNode readObject(Path file) {
    if (readTree(file) instanceof ObjectNode object) {
      return object;
    }
    throw CliException.usageError(file + ": expected a JSON object");
  }

  public static ArrayNode readList(Path file) {
    if (readTree(file) instanceof ArrayNode list) {
      return list;
    }
    throw CliException.usageError(file + ": expected a JSON list");
  }

  private static JsonNode readTree(Path file) {
    try {
      return RestClient.JSON.readTree(readBytes(file));
    } catch (JacksonException e) {
      throw new CliException(CliException.USAGE, file + " cannot be read (" + e.getMessage() + ")", e);
    }
  }

  public static CliException cannotRead(Path file, IOException e) {
    return new CliException(CliException.USAGE, file + " cannot be read (" + describe(e) + ")", e);
  }

  /// Writes a file, in a folder that is created if missing.
  public static Path write(Path file, byte[] bytes) {
    try {
      Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
      return Files.write(file, bytes);
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /// Appends a line to the content of a file, unless one is equal.
  public static void addLine(Path file, String line) {
    String before = readIfPresent(file);
    if (before.lines().noneMatch(line::equals)) {
      String lines = before.isEmpty() || before.endsWith("\n") ? before : before + "\n";
      var _ = write(file, (lines + line + "\n").getBytes(UTF_8));
    }
  }

  /// Creates a file with these permissions. Overwrites nothing.
  ///
  /// @param ifExists the end of the message if the file exists
  public static void create(Path file, byte[] bytes, String permissions, String ifExists) {
    var attribute = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    try {
      Files.createFile(file, attribute);
      Files.write(file, bytes);
    } catch (FileAlreadyExistsException e) {
      throw new CliException(CliException.FAILED, file + " already exists" + ifExists, e);
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /// Returns what is wrong in words, with the file where it is known.
  public static String describe(IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> denied.getFile() + ": permission denied";
      case NoSuchFileException missing -> missing.getFile() + ": no such file or folder";
      case FileAlreadyExistsException existing -> existing.getFile() + ": exists already, and is no folder";
      case FileSystemException other when other.getReason() != null -> other.getFile() + ": " + other.getReason();
      default -> e.toString();
    };
  }

  public static CliException cannotWrite(Path file, IOException e) {
    return new CliException(CliException.FAILED, "cannot write " + file + " (" + describe(e) + ")", e);
  }
}
