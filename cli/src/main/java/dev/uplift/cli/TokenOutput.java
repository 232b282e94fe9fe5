package dev.uplift.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
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
final class TokenOutput {
  @Mixin private Output output = new Output();

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description = "Tokens go into this new file, for its owner alone, instead of being shown.")
  private @Nullable Path file;

  /// Makes sure that they can be kept, before they are made.
  void open() {
    if (file == null) {
      return;
    }
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailed(
          CommandFailed.REFUSED, file + " exists already, and is not overwritten", e);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /// None were made.
  void forget() {
    try {
      if (file != null) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /// Nothing was made, and nothing that looks like a token is shown.
  void checked(String what) {
    output.say(what);
  }

  /// @param forPeople the same, as programs read it too
  /// @param note how many, and until when
  void show(JsonNode made, String forPeople, String note) {
    if (file == null) {
      output.show(made, _ -> forPeople);
      return;
    }
    try {
      String text =
          output.json
              ? Rest.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(made)
              : forPeople;
      Files.write(file, (text + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      // They are good, and shown this once.
      output.show(made, _ -> forPeople);
      throw unwritable(file, e);
    }
    output.say(file + ": " + note);
  }

  private static CommandFailed unwritable(Path file, IOException e) {
    return new CommandFailed(CommandFailed.REFUSED, "cannot write " + file + " (" + e + ")", e);
  }
}
