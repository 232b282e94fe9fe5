package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.CliException;
import dev.uplift.temporaldev.programs.ServerBinaries;
import dev.uplift.temporaldev.programs.UpliftHome;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Measures the cost of an agent for its host, and of many agents for the server.
@Command(
    name = "agent",
    sortOptions = false,
    description = {
      "Build the agent as for a device and measure its cost, over TLS. Takes about four minutes,"
          + " one of them idle.",
      "Exit code: 0 also if a figure exceeds its limit."
    })
public final class AgentBenchCommand implements Callable<Integer> {
  @Option(
      names = "--hosts",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Instead measure the cost of heartbeats for the server, with this number of simulated"
              + " hosts and one heartbeat per 30 s and host.")
  private int hosts;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Duration of the measurement; default: ${DEFAULT-VALUE}.")
  private int minutes;

  @Mixin private BenchRunner runner = new BenchRunner();

  @Override
  public Integer call() {
    if (hosts < 0 || hosts > 99_999 || minutes < 1 || minutes > 600) {
      throw CliException.usageError("--hosts: expected 1 to 99999; --minutes: 1 to 600");
    }
    if (hosts > 0) {
      return runner.runOnStack((stack, phaseReporter) ->
          new HeartbeatBench(stack, phaseReporter, hosts, Duration.ofMinutes(minutes)).run());
    }
    return runner.runInFolder((place, screen) -> {
      Path natsServer = ServerBinaries.find(screen::printLine).natsServer();
      return new AgentBench(UpliftHome.find(), natsServer, place, new PhaseReporter(screen)).run();
    });
  }
}
