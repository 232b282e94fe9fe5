package dev.uplift.temporaldev.up;

import dev.uplift.temporaldev.stack.Stack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes the file `env` that sets URL, token, tenant, folder and release key of a stack in a shell
/// (`. FOLDER/env`).
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
            + line("UPLIFT_STACK_FOLDER", stack.folder())
            + line("UPLIFT_RELEASE_KEY", stack.secrets().releaseKeyFile());
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
