package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Measures the cost of an upgrade on this machine.
@Command(
    name = "bench",
    sortOptions = false,
    subcommands = {RolloutBenchCommand.class, AgentBenchCommand.class},
    description = {
      "Upgrade simulated devices on a stack of its own and measure the cost.",
      "Exit code: 0 only if every device was upgraded."
    })
public final class BenchCommand implements Callable<Integer> {
  @Option(
      names = "--devices",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Number of devices, with one host each; default: ${DEFAULT-VALUE}.")
  private int devices;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Number of devices to upgrade once before; default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Mixin private BenchRunner runner = new BenchRunner();

  @Override
  public Integer call() {
    if (devices < 1 || devices > 99_999 || warmUp < 0) {
      throw CliException.usageError("--devices: expected 1 to 99999; --warm-up: 0 or more");
    }
    return runner.runOnStack((stack, phaseReporter) ->
        new UpgradeBench(stack, phaseReporter, devices).run(Math.min(warmUp, devices)));
  }
}
