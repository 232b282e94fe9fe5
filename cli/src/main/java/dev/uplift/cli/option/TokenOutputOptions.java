package dev.uplift.cli.option;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.rest.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// Where to print tokens, which are shown only once.
public final class TokenOutputOptions {
  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Write tokens to this new file, readable by its owner only, instead of printing them.")
  private @Nullable Path file;

  /// Creates the file, so that no tokens are created that cannot be stored.
  public void createFile() {
    if (file != null) {
      UserFile.create(file, new byte[0], "rw-------", " and is not overwritten");
    }
  }

  /// Deletes the file, because no tokens were created.
  public void deleteFile() {
    try {
      if (file != null) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw UserFile.cannotWrite(file, e);
    }
  }

  /// Prints tokens, or writes them to the file.
  ///
  /// @param text the tokens as text
  /// @param summary number and expiry
  public void printTokens(OutputOptions output, JsonNode tokens, String text, String summary) {
    if (file == null) {
      output.printResult(tokens, _ -> text);
      return;
    }
    try {
      var _ = UserFile.write(file, (output.format(tokens, _ -> text) + "\n").getBytes(UTF_8));
    } catch (CliException e) {
      // They are valid and shown only once.
      output.printResult(tokens, _ -> text);
      throw e;
    }
    output.printLine(file + ": " + summary);
  }
}
