package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.temporaldev.chaos.ChaosOptions;
import dev.uplift.temporaldev.chaos.ChaosRunner;
import dev.uplift.temporaldev.night.NightFleet;
import dev.uplift.temporaldev.night.NightOptions;
import dev.uplift.temporaldev.night.NightRunner;
import dev.uplift.temporaldev.programs.PreviousBuild;
import dev.uplift.temporaldev.programs.ServerBinaries;
import dev.uplift.temporaldev.programs.UpliftHome;
import dev.uplift.temporaldev.rolling.RollingUpgradeOptions;
import dev.uplift.temporaldev.rolling.RollingUpgradeRunner;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackBuilder;
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
      name = "floor",
      sortOptions = false,
      description = {
        "Run workflows that only wait, as often as an upgrade does, on the Temporal of a stack of its own: what no upgrade"
            + " can cost less than."
      })
  int floor(
      @Option(
              names = "--workflows",
              paramLabel = "N",
              defaultValue = "1000",
              description = "Number of workflows; default: ${DEFAULT-VALUE}.")
          int workflows,
      @Mixin BenchRunner benchRunner) {
    requireWithin("--workflows", workflows, 1, MAX_DEVICES);
    return benchRunner.runOnStack(stack -> stack.floor(workflows));
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
      name = "actions",
      sortOptions = false,
      description = {
        "Pause and resume rollouts that run over a large fleet, of which most devices are offline, and measure how long"
            + " the answers take.",
        "Exit code: 0 only if the rollouts have all devices together."
      })
  int actions(
      @Option(
              names = "--devices",
              paramLabel = "N",
              defaultValue = "100000",
              description = "Number of devices of all rollouts together; default: ${DEFAULT-VALUE}.")
          int deviceCount,
      @Option(
              names = "--heard",
              paramLabel = "N",
              defaultValue = "5000",
              description = "How many of them are simulated; the others are offline. Default: ${DEFAULT-VALUE}.")
          int heard,
      @Option(
              names = "--rollouts",
              paramLabel = "N",
              defaultValue = "10",
              description = "Number of rollouts at the same time; default: ${DEFAULT-VALUE}.")
          int rollouts,
      @Option(
              names = "--max-parallel",
              paramLabel = "N",
              defaultValue = "10",
              description = "Maximum of devices in progress in each; default: ${DEFAULT-VALUE}.")
          int maxParallel,
      @Option(
              names = "--minutes",
              paramLabel = "N",
              defaultValue = "2",
              description = "How long they are paused and resumed; default: ${DEFAULT-VALUE}.")
          int minutes,
      @Mixin BenchRunner benchRunner) {
    requireWithin("--devices", deviceCount, 2, MAX_DEVICES + 1);
    requireWithin("--heard", heard, 1, deviceCount);
    requireWithin("--rollouts", rollouts, 1, Math.min(deviceCount, 100));
    requireWithin("--max-parallel", maxParallel, 1, 100_000);
    requireWithin("--minutes", minutes, 1, 600);
    var parameters =
        new ActionsBench.Parameters(deviceCount, heard, rollouts, maxParallel, Duration.ofMinutes(minutes));
    return benchRunner.runOnStack(stack -> new ActionsBench(stack, parameters).run());
  }

  @Command(
      name = "agent",
      sortOptions = false,
      description = {
        "Build the agent as for a device and measure its cost, over TLS. Takes about four minutes,"
            + " one of them idle.",
        "Exit code: 0 also if a figure exceeds its limit."
      })
  int agent(@Mixin BenchRunner benchRunner) {
    return benchRunner.runInFolder((place, screen) -> {
      Path natsServer = ServerBinaries.find(screen::printLine).natsServer();
      return new AgentBench(UpliftHome.find(), natsServer, place, new PhaseReporter(screen)).run();
    });
  }

  @Command(
      name = "scale",
      sortOptions = false,
      description = {
        "Measure what a large fleet costs while nothing is upgraded: processor time, memory, and the heap of the server"
            + " over time.",
        "Exit code: 0 only if all simulated hosts are online at the end, and the heap has not grown."
      })
  int scale(
      @Option(
              names = "--devices",
              paramLabel = "N",
              defaultValue = "100000",
              description = "Number of devices in the tables; default: ${DEFAULT-VALUE}.")
          int deviceCount,
      @Option(
              names = "--hosts",
              paramLabel = "N",
              defaultValue = "10000",
              description =
                  "How many of them are simulated, with one heartbeat per 30 s; the others are offline. Default:"
                      + " ${DEFAULT-VALUE}.")
          int hosts,
      @Option(
              names = "--minutes",
              paramLabel = "N",
              defaultValue = "60",
              description = "Duration of the measurement; default: ${DEFAULT-VALUE}.")
          int minutes,
      @Mixin BenchRunner benchRunner) {
    requireWithin("--devices", deviceCount, 1, 1_000_000);
    requireWithin("--hosts", hosts, 1, Math.min(deviceCount, MAX_DEVICES));
    requireWithin("--minutes", minutes, 1, 600);
    return benchRunner.runOnStack(
        stack -> new ScaleBench(stack, deviceCount, hosts, Duration.ofMinutes(minutes)).run());
  }

  @Command(
      name = "night",
      sortOptions = false,
      description = {
        "Run one night of a fleet: simulated devices in five time zones, of which some are off, decline, fail or lose"
            + " their connection, a rollout in their windows, an outage of NATS and a lost server.",
        "Prints the morning's table, expected and found. Exit code: 0 only if every device is as expected, nothing"
            + " ran twice or outside its window, and the rollout never paused."
      })
  int night(
      @Option(
              names = "--devices",
              paramLabel = "N",
              defaultValue = "2000",
              description = "Number of devices, with one host each; default: ${DEFAULT-VALUE}.")
          int deviceCount,
      @Option(
              names = "--seed",
              paramLabel = "N",
              defaultValue = "1",
              description = "What each device does in the night is a function of it; default: ${DEFAULT-VALUE}.")
          long seed,
      @Option(
              names = "--scale",
              paramLabel = "N",
              defaultValue = "5",
              description =
                  "How many times shorter than usual outages are, and the times after which hosts and servers are"
                      + " missed; 1: a NATS outage of ten minutes. Default: ${DEFAULT-VALUE}.")
          int scale,
      @Option(
              names = "--window-span",
              paramLabel = "MINUTES",
              defaultValue = "8",
              description = "Time from the opening of the first window to that of the last; default: ${DEFAULT-VALUE}.")
          int windowSpan,
      @Mixin BenchRunner benchRunner) {
    requireWithin("--devices", deviceCount, NightFleet.MIN_DEVICES, MAX_DEVICES);
    requireWithin("--scale", scale, 1, 20);
    requireWithin("--window-span", windowSpan, 0, 240);
    var options = new NightOptions(deviceCount, seed, scale, Duration.ofMinutes(windowSpan), true);
    return benchRunner.runInFolder((place, screen) -> {
      try (Stack stack = Stack.in(place).progress(screen::printLine).open()) {
        return new NightFigures(
            new NightRunner(stack, new PhaseReporter(screen), options, benchRunner.database()).run());
      }
    });
  }

  @Command(
      name = "chaos",
      sortOptions = false,
      description = {
        "Roll one release after the other out to simulated devices while every ten seconds one part of the stack is killed"
            + " (SIGKILL) or frozen (SIGSTOP), or a server is cut off from the others, and comes back.",
        "Exit code: 0 only if every rollout upgraded every device once and nothing that was acknowledged is lost."
      })
  int chaos(
      @Option(
              names = "--cluster",
              description = "On a stack as that of `uplift up --cluster`; default: single servers.")
          boolean cluster,
      @Option(
              names = "--devices",
              paramLabel = "N",
              defaultValue = "1000",
              description = "Number of devices, with one host each; default: ${DEFAULT-VALUE}.")
          int deviceCount,
      @Option(
              names = "--minutes",
              paramLabel = "N",
              defaultValue = "10",
              description = "How long there are faults; default: ${DEFAULT-VALUE}.")
          int minutes,
      @Option(
              names = "--seed",
              paramLabel = "N",
              defaultValue = "1",
              description = "Which parts, and for how long, is a function of it; default: ${DEFAULT-VALUE}.")
          long seed,
      @Mixin BenchRunner benchRunner) {
    requireWithin("--devices", deviceCount, 1, MAX_DEVICES);
    requireWithin("--minutes", minutes, 1, 600);
    var options = new ChaosOptions(deviceCount, Duration.ofMinutes(minutes), seed);
    return benchRunner.runInFolder((place, screen) -> {
      StackBuilder builder = Stack.in(place).progress(screen::printLine);
      try (Stack stack = (cluster ? builder.cluster() : builder).serverLinks().open()) {
        return ReportFigures.of(new ChaosRunner(stack, new PhaseReporter(screen), options).run());
      }
    });
  }

  @Command(
      name = "rolling-upgrade",
      sortOptions = false,
      description = {
        "Replace the servers of a cluster one by one, from an earlier build to this one, back, and to this one again,"
            + " while upgrades and rollouts run.",
        "Exit code: 0 only if every device was upgraded once and no workflow task failed."
      })
  int rollingUpgrade(
      @Option(
              names = "--from",
              paramLabel = "REVISION",
              description =
                  "The commit whose server is the earlier one; default: the last release, or, until there is one, the"
                      + " first commit that works beside this one.")
          @Nullable String revision,
      @Option(
              names = "--upgrades",
              paramLabel = "N",
              defaultValue = "200",
              description = "Number of upgrades of single devices; default: ${DEFAULT-VALUE}.")
          int upgrades,
      @Option(
              names = "--rollouts",
              paramLabel = "N",
              defaultValue = "3",
              description = "Number of rollouts at the same time; default: ${DEFAULT-VALUE}.")
          int rollouts,
      @Option(
              names = "--devices",
              paramLabel = "N",
              defaultValue = "200",
              description = "Number of devices of each rollout; default: ${DEFAULT-VALUE}.")
          int deviceCount,
      @Mixin BenchRunner benchRunner) {
    requireWithin("--upgrades", upgrades, 1, 10_000);
    requireWithin("--rollouts", rollouts, 0, 100);
    requireWithin("--devices", deviceCount, 1, 1_000);
    Path home = UpliftHome.find();
    PreviousBuild previous =
        (revision == null ? PreviousBuild.find(home) : PreviousBuild.at(home, revision))
            .orElseThrow(() ->
                CliException.usageError("no earlier commit is known: --from names one, in a clone with its history"));
    var options = new RollingUpgradeOptions(upgrades, rollouts, deviceCount, 3);
    return benchRunner.runInFolder((place, screen) -> {
      String classPath = previous.serverClassPath(screen::printLine);
      try (Stack stack = Stack.in(place).progress(screen::printLine).cluster().open()) {
        return ReportFigures.of(
            new RollingUpgradeRunner(stack, new PhaseReporter(screen), previous, classPath, options).run());
      }
    });
  }

  private static void requireWithin(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw CliException.usageError("%s: expected %d to %d, found %d".formatted(option, least, most, value));
    }
  }
}
