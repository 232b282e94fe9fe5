package dev.uplift.cli.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.option.OutputOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/// Where to print tokens, which are shown only once.
final class TokenOutputOptions {
  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "Write tokens to this new file, readable by its owner only, instead of printing them.")
  private @Nullable Path file;

  /// Creates the file, so that no tokens are created that cannot be stored.
  void createFile() {
    if (file == null) {
      return;
    }
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      throw new CliException(
          CliException.FAILED, file + " already exists and is not overwritten", e);
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /// Deletes the file, because no tokens were created.
  void deleteFile() {
    try {
      if (file != null) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /// Prints the result of a dry run, which has no tokens.
  void printCheck(String text) {
    output.printLine(text);
  }

  /// @param text the tokens as text
  /// @param summary number and expiry
  void printTokens(JsonNode tokens, String text, String summary) {
    if (file == null) {
      output.printResult(tokens, _ -> text);
      return;
    }
    try {
      String content =
          output.asJson
              ? RestClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(tokens)
              : text;
      Files.write(file, (content + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      // They are valid and shown only once.
      output.printResult(tokens, _ -> text);
      throw cannotWrite(file, e);
    }
    output.printLine(file + ": " + summary);
  }

  private static CliException cannotWrite(Path file, IOException e) {
    return new CliException(CliException.FAILED, "cannot write " + file + " (" + e + ")", e);
  }
}
