package dev.uplift.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    return new CliException(CliException.USAGE, file + " cannot be read (" + e + ")", e);
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

  public static CliException cannotWrite(Path file, IOException e) {
    return new CliException(CliException.FAILED, "cannot write " + file + " (" + e + ")", e);
  }
}
