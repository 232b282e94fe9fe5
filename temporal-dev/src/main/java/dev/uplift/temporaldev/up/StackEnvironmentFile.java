package dev.uplift.temporaldev.up;

import dev.uplift.temporaldev.stack.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file that a shell reads (`. FOLDER/env`) to have this stack's address, token, tenant, folder
/// and release key set.
final class StackEnvironmentFile {
  private StackEnvironmentFile() {}

  static Path write(Stack stack, String tenant) {
    Path file = stack.folder().resolve("env");
    String text =
        "# For a shell: . "
            + file
            + "\n"
            + line("UPLIFT_URL", stack.server().url())
            + line("UPLIFT_TOKEN_FILE", stack.tokens().folder().resolve("admin"))
            + line("UPLIFT_TENANT", tenant)
            + line("UPLIFT_FOLDER", stack.folder())
            + line("UPLIFT_SIGNING_KEY", stack.secrets().releaseKeyFile());
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }

  private static String line(String name, Object value) {
    return "export " + name + "='" + value.toString().replace("'", "'\\''") + "'\n";
  }
}
