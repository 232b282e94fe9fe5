package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What a rollout costs on this machine, and how it keeps its rules.
@Command(
    name = "rollout",
    sortOptions = false,
    description = {
      "Rolls a release out over simulated devices on a stack of its own, and measures that.",
      "Where it stops by itself it is looked at what stopped it, and resumed. Ends with 0 only if"
          + " all devices that do not fail were upgraded, and nothing was started while it had"
          + " stopped."
    })
public final class RolloutBenchCommand implements Callable<Integer> {
  @Option(
      names = "--devices",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many, with one host each; default: ${DEFAULT-VALUE}.")
  private int devices;

  @Option(
      names = "--waves",
      paramLabel = "N",
      defaultValue = "10",
      description = "Of the same size; default: ${DEFAULT-VALUE}.")
  private int waves;

  @Option(
      names = "--failing",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description = "So many hosts fail and go back; default: ${DEFAULT-VALUE}.")
  private int failingPercent;

  @Option(
      names = "--stop-at",
      paramLabel = "N",
      defaultValue = "5",
      description = "Stops at so many failures of a wave; default: ${DEFAULT-VALUE}.")
  private int maxFailures;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "500",
      description = "So many at once at most; default: ${DEFAULT-VALUE}.")
  private int maxParallel;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "300",
      description =
          "A rollout over so many of them at most comes first; default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(
      names = "--table",
      paramLabel = "N",
      description =
          "Instead: so many devices are put into the table, and a rollout over all of them is"
              + " checked and not made.")
  private @Nullable Integer tableDevices;

  @Mixin private BenchRunner runner = new BenchRunner();

  @Override
  public Integer call() {
    check();
    return runner.runOnStack((stack, phaseReporter) ->
        tableDevices == null
            ? new RolloutBench(stack, phaseReporter, parameters()).run()
            : new TableBench(stack, phaseReporter, tableDevices).run());
  }

  private RolloutBench.Parameters parameters() {
    return new RolloutBench.Parameters(
        devices, waves, failingPercent, maxFailures, maxParallel, Math.min(warmUp, devices));
  }

  private void check() {
    requireWithin("--devices", devices, 2, 99_999);
    requireWithin("--waves", waves, 1, Math.min(devices, 100));
    requireWithin("--failing", failingPercent, 0, 90);
    requireWithin("--stop-at", maxFailures, 1, devices);
    requireWithin("--in-flight", maxParallel, 1, 100_000);
    requireWithin("--warm-up", warmUp, 0, 99_999);
    if (tableDevices != null) {
      requireWithin("--table", tableDevices, 100, 1_000_000);
    }
  }

  private static void requireWithin(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw CliException.usageError(
          "%s: expected %d to %d, found %d".formatted(option, least, most, value));
    }
  }
}
