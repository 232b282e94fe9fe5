package dev.uplift.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/// The examples that `--help` of each command ends with, from a file: so they are read together, and a test types them
/// all.
final class CommandExamples {
  private CommandExamples() {}

  /// Adds to the help of each command the examples that begin with its name.
  static void addTo(CommandLine program) {
    List<String> examples = read();
    program.getSubcommands().values().stream().distinct().forEach(command -> addTo(command, examples));
  }

  private static void addTo(CommandLine command, List<String> examples) {
    if (!command.getSubcommands().isEmpty()) {
      command.getSubcommands().values().stream().distinct().forEach(each -> addTo(each, examples));
      return;
    }
    String name = command.getCommandSpec().qualifiedName() + " ";
    List<String> own =
        examples.stream().map(line -> "uplift " + line).filter(line -> (line + " ").startsWith(name)).toList();
    if (!own.isEmpty()) {
      UsageMessageSpec usage = command.getCommandSpec().usageMessage();
      List<String> footer = new ArrayList<>(List.of(usage.footer()));
      footer.add("");
      footer.add(own.size() == 1 ? "Example:" : "Examples:");
      // Percent signs are formats there.
      own.forEach(line -> footer.add("  " + line.replace("%", "%%")));
      usage.footer(footer.toArray(String[]::new));
    }
  }

  /// Returns the lines without the name of the program.
  static List<String> read() {
    InputStream file = Objects.requireNonNull(CommandExamples.class.getResourceAsStream("examples.txt"));
    try (var reader = new BufferedReader(new InputStreamReader(file, UTF_8));
        Stream<String> lines = reader.lines()) {
      return lines.filter(line -> !line.startsWith("#")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
