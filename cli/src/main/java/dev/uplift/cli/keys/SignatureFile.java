package dev.uplift.cli.keys;

import dev.uplift.cli.rest.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Files of signatures, one to a line.
public final class SignatureFile {
  private SignatureFile() {}

  /// The file has this line too.
  ///
  /// @param before what it has now
  public static void appendLine(Path file, String before, String line) {
    String whole = before.isEmpty() || before.endsWith("\n") ? before : before + "\n";
    try {
      Files.writeString(file, whole + line + "\n");
    } catch (IOException e) {
      throw new CliException(CliException.FAILED, "cannot write " + file + " (" + e + ")", e);
    }
  }
}
