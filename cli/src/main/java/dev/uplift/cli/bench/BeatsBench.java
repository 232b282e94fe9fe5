package dev.uplift.cli.bench;

import dev.uplift.cli.local.Pause;
import dev.uplift.cli.local.Phases;
import dev.uplift.cli.local.Servers;
import dev.uplift.cli.rest.Rest;
import dev.uplift.temporaldev.Program;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.util.List;

/// Many hosts that do nothing but beat: what that costs the server. What it costs to run at all is
/// measured before, and taken off.
final class BeatsBench {
  private static final Duration SETTLED = Duration.ofSeconds(60);

  private final Stack stack;
  private final Phases phases;
  private final int hosts;
  private final Duration lasts;

  BeatsBench(Stack stack, Phases phases, int hosts, Duration lasts) {
    this.stack = stack;
    this.phases = phases;
    this.hosts = hosts;
    this.lasts = lasts;
  }

  AgentFigures run() {
    Servers servers = new Servers(stack, phases);
    servers.start();
    try (Rest rest = servers.rest(Bench.TENANT)) {
      rest.putTenant();
      phases.run("devices", () -> Bench.add(rest, new Crowd(), hosts));
      phases.run("settles", () -> wait(SETTLED));
      double without = serverPercent("no hosts");
      Program simulator = Bench.simulated(hosts).on(stack);
      phases.run("simulator", () -> Bench.start(rest, simulator, hosts));
      phases.run("settles", () -> wait(SETTLED));
      double with = serverPercent(hosts + " hosts");
      return new AgentFigures(
          List.of(
              new AgentFigures.Figure(
                  "server, for %d hosts, %% of a core".formatted(hosts), 5, with - without),
              new AgentFigures.Figure("server, without hosts, % of a core", 5, without)));
    }
  }

  private static String wait(Duration time) {
    Pause.of(time);
    return "";
  }

  private double serverPercent(String phase) {
    ProcessUse before = ProcessUse.of(stack.server().pid());
    phases.run(phase, () -> wait(lasts));
    Duration cpu = ProcessUse.of(stack.server().pid()).cpu().minus(before.cpu());
    return 100.0 * cpu.toMillis() / lasts.toMillis();
  }
}
