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

/// Where tokens are said, which are shown this once.
final class TokenOutputOptions {
  @Mixin private OutputOptions output = new OutputOptions();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Tokens go into this new file, for its owner alone, instead of being shown.")
  private @Nullable Path file;

  /// Makes sure that they can be kept, before they are made.
  void createFile() {
    if (file == null) {
      return;
    }
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      throw new CliException(
          CliException.FAILED, file + " exists already, and is not overwritten", e);
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /// None were made.
  void deleteFile() {
    try {
      if (file != null) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw cannotWrite(file, e);
    }
  }

  /// Nothing was made, and nothing that looks like a token is shown.
  void printCheck(String what) {
    output.printLine(what);
  }

  /// @param forPeople the same, as programs read it too
  /// @param note how many, and until when
  void printTokens(JsonNode made, String forPeople, String note) {
    if (file == null) {
      output.printResult(made, _ -> forPeople);
      return;
    }
    try {
      String text =
          output.asJson
              ? RestClient.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(made)
              : forPeople;
      Files.write(file, (text + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      // They are good, and shown this once.
      output.printResult(made, _ -> forPeople);
      throw cannotWrite(file, e);
    }
    output.printLine(file + ": " + note);
  }

  private static CliException cannotWrite(Path file, IOException e) {
    return new CliException(CliException.FAILED, "cannot write " + file + " (" + e + ")", e);
  }
}
