package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.scenario.ExternalDatabase;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.stack.ServerCache;
import dev.uplift.temporaldev.stack.Stack;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of every bench; runs it and prints its figures.
final class BenchRunner {
  @Option(names = "--json", description = "Print only one JSON object.")
  private boolean json;

  @Option(names = "--folder", paramLabel = "DIR", description = "Folder of all data, which is kept.")
  private @Nullable Path folder;

  @Option(
      names = "--database",
      paramLabel = "URL",
      description = {
        "An empty database of a PostgreSQL, jdbc:postgresql://…; in a night two servers share it.",
        "Default: H2 within the server."
      })
  private @Nullable String database;

  @Option(
      names = "--database-user",
      paramLabel = "NAME",
      defaultValue = "uplift",
      description = "Default: ${DEFAULT-VALUE}.")
  private String databaseUser = "uplift";

  @Option(
      names = "--database-password-file",
      paramLabel = "FILE",
      description = "Default: the database asks for no password.")
  private @Nullable Path databasePasswordFile;

  /// Runs a bench on a stack of its own.
  ///
  /// @return the exit code of the command
  int runOnStack(Function<BenchStack, BenchFigures> bench) {
    return runInFolder((place, screen) -> {
      PhaseReporter phases = new PhaseReporter(screen);
      if (ServerCache.isWanted()) {
        phases.run(
            "classes",
            () -> {
              ServerCache.makeIfMissing(screen::printLine);
              return "";
            });
      }
      try (Stack stack = Stack.in(place).progress(screen::printLine).open();
          BenchStack benchStack = new BenchStack(stack, phases, database())) {
        return bench.apply(benchStack);
      }
    });
  }

  /// Returns the database that was named.
  Optional<ExternalDatabase> database() {
    return Optional.ofNullable(database)
        .map(url -> new ExternalDatabase(url, databaseUser, Optional.ofNullable(databasePasswordFile)));
  }

  /// Runs a bench in a folder.
  ///
  /// @return the exit code of the command
  int runInFolder(BiFunction<Path, Screen, BenchFigures> bench) {
    // Only the figures go to standard output, so that they can be piped.
    Screen screen = new Screen(json ? System.err : System.out, json ? Terminal.PLAIN : Terminal.detect());
    Path place = folder == null ? Reaper.ofThisJvm().temporaryFolder("uplift-bench-") : folder;
    BenchFigures figures = bench.apply(place, screen);
    if (json) {
      System.out.println(figures.toJson().toPrettyString());
    } else {
      screen.printLine("");
      figures.lines().forEach(line -> screen.printLine("  " + line));
    }
    return figures.isSuccessful() ? 0 : CliException.UNSUCCESSFUL_OUTCOME;
  }
}
