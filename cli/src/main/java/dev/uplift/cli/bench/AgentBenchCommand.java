package dev.uplift.cli.bench;

import dev.uplift.cli.local.Phases;
import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.temporaldev.Home;
import dev.uplift.temporaldev.Tools;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What an agent costs its host, and what very many cost the server.
@Command(
    name = "agent",
    sortOptions = false,
    description = {
      "Makes the agent as a device gets it, and measures what it costs, over TLS. Takes about four"
          + " minutes, one of them idle.",
      "A bench reports: it ends with 0 also where a figure is over what it may be at most."
    })
public final class AgentBenchCommand implements Callable<Integer> {
  @Option(
      names = "--hosts",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Instead: what the heartbeats of so many simulated hosts cost the server, one per 30 s"
              + " and host.")
  private int hosts;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "3",
      description = "How long they are looked at; default: ${DEFAULT-VALUE}.")
  private int minutes;

  @Mixin private BenchStage stage = new BenchStage();

  @Override
  public Integer call() {
    if (hosts < 0 || hosts > 99_999 || minutes < 1 || minutes > 600) {
      throw CommandFailed.usage("--hosts: expected 1 to 99999; --minutes: 1 to 600");
    }
    if (hosts > 0) {
      return stage.run((stack, phases) ->
          new BeatsBench(stack, phases, hosts, Duration.ofMinutes(minutes)).run());
    }
    return stage.alone((place, screen) -> {
      Path natsServer = Tools.find(screen::say).natsServer();
      return new AgentBench(Home.find(), natsServer, place, new Phases(screen)).run();
    });
  }
}
