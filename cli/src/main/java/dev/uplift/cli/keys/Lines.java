package dev.uplift.cli.keys;

import dev.uplift.cli.rest.CommandFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Files of signatures, one to a line.
public final class Lines {
  private Lines() {}

  /// The file has this line too.
  ///
  /// @param before what it has now
  public static void add(Path file, String before, String line) {
    String whole = before.isEmpty() || before.endsWith("\n") ? before : before + "\n";
    try {
      Files.writeString(file, whole + line + "\n");
    } catch (IOException e) {
      throw new CommandFailed(CommandFailed.REFUSED, "cannot write " + file + " (" + e + ")", e);
    }
  }
}
