package dev.uplift.cli.bench;

import dev.uplift.cli.local.Phases;
import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import dev.uplift.cli.text.Screen;
import dev.uplift.cli.text.Terminal;
import dev.uplift.temporaldev.Reaper;
import dev.uplift.temporaldev.Setup;
import dev.uplift.temporaldev.Stack;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// What an upgrade costs on this machine.
@Command(
    name = "bench",
    sortOptions = false,
    subcommands = RolloutBenchCommand.class,
    description = {
      "Upgrades simulated devices on a stack of its own, and measures what that costs.",
      "Ends with 0 only if every device was upgraded."
    })
public final class BenchCommand implements Callable<Integer> {
  @Option(
      names = "--devices",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many, with one host each; default: ${DEFAULT-VALUE}.")
  private int devices;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many of them at most are upgraded once before; default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(names = "--json", description = "One JSON object on the output, nothing else.")
  private boolean json;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where everything is kept, and left for you to look at.")
  private @Nullable Path folder;

  @Override
  public Integer call() {
    if (devices < 1 || devices > 99_999 || warmUp < 0) {
      throw CommandFailed.usage("--devices: expected 1 to 99999; --warm-up: 0 or more");
    }
    // The figures alone go to the output, so that they can be piped on.
    PrintStream talk = json ? System.err : System.out;
    Screen screen = new Screen(talk, json ? Terminal.NONE : Terminal.here());
    Path place = folder == null ? Reaper.ofThisJvm().temporaryFolder("uplift-bench-") : folder;
    Setup setup = Stack.in(place).progress(screen::say);
    BenchReport report;
    try (Stack stack = setup.open()) {
      report = new Bench(stack, new Phases(screen), devices).run(Math.min(warmUp, devices));
    }
    if (json) {
      System.out.println(
          Rest.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(report.json()));
    } else {
      screen.say("");
      report.lines().forEach(line -> screen.say("  " + line));
    }
    return report.outcomes().equals(Map.of("upgraded", (long) devices))
        ? 0
        : CommandFailed.OTHER_OUTCOME;
  }
}
