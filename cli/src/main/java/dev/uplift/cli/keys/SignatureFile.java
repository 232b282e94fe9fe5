package dev.uplift.cli.keys;

import dev.uplift.cli.rest.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Signature files with one signature per line.
public final class SignatureFile {
  private SignatureFile() {}

  /// Appends a line.
  ///
  /// @param content the current content
  public static void appendLine(Path file, String content, String line) {
    String lines = content.isEmpty() || content.endsWith("\n") ? content : content + "\n";
    try {
      Files.writeString(file, lines + line + "\n");
    } catch (IOException e) {
      throw new CliException(CliException.FAILED, "cannot write " + file + " (" + e + ")", e);
    }
  }
}
