package dev.uplift.cli.bench;

import dev.uplift.cli.local.Phases;
import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.Reaper;
import dev.uplift.temporaldev.Stack;
import java.nio.file.Path;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where a bench takes place, and how its figures are told.
final class BenchStage {
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
  int run(BiFunction<Stack, Phases, Figures> bench) {
    return alone((place, screen) -> {
      try (Stack stack = Stack.in(place).tenant(Bench.TENANT).progress(screen::say).open()) {
        return bench.apply(stack, new Phases(screen));
      }
    });
  }

  /// Runs a bench that needs no more than a folder.
  ///
  /// @return the exit code of the command
  int alone(BiFunction<Path, Screen, Figures> bench) {
    // The figures alone go to the output, so that they can be piped on.
    Screen screen =
        new Screen(json ? System.err : System.out, json ? Terminal.NONE : Terminal.here());
    Path place = folder == null ? Reaper.ofThisJvm().temporaryFolder("uplift-bench-") : folder;
    Figures figures = bench.apply(place, screen);
    if (json) {
      System.out.println(
          Rest.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(figures.json()));
    } else {
      screen.say("");
      figures.lines().forEach(line -> screen.say("  " + line));
    }
    return figures.isAsWished() ? 0 : CommandFailed.OTHER_OUTCOME;
  }
}
