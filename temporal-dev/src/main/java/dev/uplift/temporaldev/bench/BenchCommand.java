package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What an upgrade costs on this machine.
@Command(
    name = "bench",
    sortOptions = false,
    subcommands = {RolloutBenchCommand.class, AgentBenchCommand.class},
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
