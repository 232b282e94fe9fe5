package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.temporaldev.programs.ServerBinaries;
import dev.uplift.temporaldev.programs.UpliftHome;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Measures the cost of upgrades, rollouts and agents on this machine.
@Command(
    name = "bench",
    sortOptions = false,
    description = {
      "Upgrade simulated devices on a stack of its own and measure the cost.",
      "Exit code: 0 only if every device was upgraded."
    })
public final class BenchCommand implements Callable<Integer> {
  private static final int MAX_DEVICES = 99_999;

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
    requireWithin("--devices", devices, 1, MAX_DEVICES);
    requireWithin("--warm-up", warmUp, 0, Integer.MAX_VALUE);
    return runner.runOnStack(stack -> new UpgradeBench(stack, devices, Math.min(warmUp, devices)).run());
  }

  @Command(
      name = "rollout",
      sortOptions = false,
      description = {
        "Roll a release out to simulated devices on a stack of its own and measure it.",
        "Reports automatic pauses and resumes them. Exit code: 0 only if all devices were upgraded"
            + " except those that fail on purpose, and none was started during a pause."
      })
  int rollout(
      @Option(
              names = "--devices",
              paramLabel = "N",
              defaultValue = "1000",
              description = "Number of devices, with one host each; default: ${DEFAULT-VALUE}.")
          int deviceCount,
      @Option(
              names = "--waves",
              paramLabel = "N",
              defaultValue = "10",
              description = "Number of waves of the same size; default: ${DEFAULT-VALUE}.")
          int waves,
      @Option(
              names = "--failing-percent",
              paramLabel = "PERCENT",
              defaultValue = "0",
              description = "Share of hosts that fail and are rolled back; default: ${DEFAULT-VALUE}.")
          int failingPercent,
      @Option(
              names = "--max-failures",
              paramLabel = "N",
              defaultValue = "5",
              description = "Failures of a wave that pause the rollout; default: ${DEFAULT-VALUE}.")
          int maxFailures,
      @Option(
              names = "--max-parallel",
              paramLabel = "N",
              defaultValue = "500",
              description = "Maximum of devices in progress; default: ${DEFAULT-VALUE}.")
          int maxParallel,
      @Option(
              names = "--warm-up",
              paramLabel = "N",
              defaultValue = "300",
              description = "Devices of a first rollout to warm up; default: ${DEFAULT-VALUE}.")
          int firstDevices,
      @Option(
              names = "--table-devices",
              paramLabel = "N",
              description = "Instead add this number of devices and only validate a rollout over all of" + " them.")
          @Nullable Integer tableDevices,
      @Mixin BenchRunner benchRunner) {
    requireWithin("--devices", deviceCount, 2, MAX_DEVICES);
    requireWithin("--waves", waves, 1, Math.min(deviceCount, 100));
    requireWithin("--failing-percent", failingPercent, 0, 90);
    requireWithin("--max-failures", maxFailures, 1, deviceCount);
    requireWithin("--max-parallel", maxParallel, 1, 100_000);
    requireWithin("--warm-up", firstDevices, 0, MAX_DEVICES);
    if (tableDevices != null) {
      requireWithin("--table-devices", tableDevices, 100, 1_000_000);
      return benchRunner.runOnStack(stack -> new TableBench(stack, tableDevices).run());
    }
    var parameters =
        new RolloutBench.Parameters(
            deviceCount, waves, failingPercent, maxFailures, maxParallel, Math.min(firstDevices, deviceCount));
    return benchRunner.runOnStack(stack -> new RolloutBench(stack, parameters).run());
  }

  @Command(
      name = "agent",
      sortOptions = false,
      description = {
        "Build the agent as for a device and measure its cost, over TLS. Takes about four minutes,"
            + " one of them idle.",
        "Exit code: 0 also if a figure exceeds its limit."
      })
  int agent(
      @Option(
              names = "--hosts",
              paramLabel = "N",
              defaultValue = "0",
              description =
                  "Instead measure the cost of heartbeats for the server, with this number of"
                      + " simulated hosts and one heartbeat per 30 s and host.")
          int hosts,
      @Option(
              names = "--minutes",
              paramLabel = "N",
              defaultValue = "3",
              description = "Duration of the measurement; default: ${DEFAULT-VALUE}.")
          int minutes,
      @Mixin BenchRunner benchRunner) {
    requireWithin("--hosts", hosts, 0, MAX_DEVICES);
    requireWithin("--minutes", minutes, 1, 600);
    if (hosts > 0) {
      return benchRunner.runOnStack(stack -> new HeartbeatBench(stack, hosts, Duration.ofMinutes(minutes)).run());
    }
    return benchRunner.runInFolder((place, screen) -> {
      Path natsServer = ServerBinaries.find(screen::printLine).natsServer();
      return new AgentBench(UpliftHome.find(), natsServer, place, new PhaseReporter(screen)).run();
    });
  }

  private static void requireWithin(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw CliException.usageError("%s: expected %d to %d, found %d".formatted(option, least, most, value));
    }
  }
}
