package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Measures the cost of a rollout on this machine and checks its limits.
@Command(
    name = "rollout",
    sortOptions = false,
    description = {
      "Roll a release out to simulated devices on a stack of its own and measure it.",
      "Reports automatic pauses and resumes them. Exit code: 0 only if all devices were upgraded"
          + " except those that fail on purpose, and none was started during a pause."
    })
public final class RolloutBenchCommand implements Callable<Integer> {
  @Option(
      names = "--devices",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Number of devices, with one host each; default: ${DEFAULT-VALUE}.")
  private int devices;

  @Option(
      names = "--waves",
      paramLabel = "N",
      defaultValue = "10",
      description = "Number of waves of the same size; default: ${DEFAULT-VALUE}.")
  private int waves;

  @Option(
      names = "--failing-percent",
      paramLabel = "PERCENT",
      defaultValue = "0",
      description = "Share of hosts that fail and are rolled back; default: ${DEFAULT-VALUE}.")
  private int failingPercent;

  @Option(
      names = "--max-failures",
      paramLabel = "N",
      defaultValue = "5",
      description = "Failures of a wave that pause the rollout; default: ${DEFAULT-VALUE}.")
  private int maxFailures;

  @Option(
      names = "--max-parallel",
      paramLabel = "N",
      defaultValue = "500",
      description = "Maximum of devices in progress; default: ${DEFAULT-VALUE}.")
  private int maxParallel;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "300",
      description = "Devices of a first rollout to warm up; default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(
      names = "--table-devices",
      paramLabel = "N",
      description =
          "Instead add this number of devices and only validate a rollout over all of them.")
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
    requireWithin("--failing-percent", failingPercent, 0, 90);
    requireWithin("--max-failures", maxFailures, 1, devices);
    requireWithin("--max-parallel", maxParallel, 1, 100_000);
    requireWithin("--warm-up", warmUp, 0, 99_999);
    if (tableDevices != null) {
      requireWithin("--table-devices", tableDevices, 100, 1_000_000);
    }
  }

  private static void requireWithin(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw CliException.usageError(
          "%s: expected %d to %d, found %d".formatted(option, least, most, value));
    }
  }
}
