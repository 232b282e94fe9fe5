package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.stack.Stack;
import java.nio.file.Path;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a bench takes place, and how its figures are told.
final class BenchRunner {
  @Option(names = "--json", description = "One JSON object on the output, nothing else.")
  private boolean json;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where everything is kept, and left for you to look at.")
  private @Nullable Path folder;

  /// Runs a bench on a stack of its own, which is gone afterwards.
  ///
  /// @return the exit code of the command
  int runOnStack(BiFunction<Stack, PhaseReporter, BenchFigures> bench) {
    return runInFolder((place, screen) -> {
      try (Stack stack = Stack.in(place).progress(screen::printLine).open()) {
        return bench.apply(stack, new PhaseReporter(screen));
      }
    });
  }

  /// Runs a bench that needs no more than a folder.
  ///
  /// @return the exit code of the command
  int runInFolder(BiFunction<Path, Screen, BenchFigures> bench) {
    // The figures alone go to the output, so that they can be piped on.
    Screen screen =
        new Screen(json ? System.err : System.out, json ? Terminal.PLAIN : Terminal.detect());
    Path place = folder == null ? Reaper.ofThisJvm().temporaryFolder("uplift-bench-") : folder;
    BenchFigures benchFigures = bench.apply(place, screen);
    if (json) {
      System.out.println(
          RestClient.JSON
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(benchFigures.toJson()));
    } else {
      screen.printLine("");
      benchFigures.lines().forEach(line -> screen.printLine("  " + line));
    }
    return benchFigures.isSuccessful() ? 0 : CliException.UNSUCCESSFUL_OUTCOME;
  }
}
