package dev.uplift.temporaldev.bench;

import dev.uplift.cli.rest.RestClient;
import dev.uplift.temporaldev.scenario.PhaseReporter;
import dev.uplift.temporaldev.scenario.Sleeper;
import dev.uplift.temporaldev.scenario.StackStarter;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProgram;
import java.time.Duration;
import java.util.List;

/// Measures the cost of heartbeats of many idle hosts for the server, without its cost when idle.
final class HeartbeatBench {
  private static final Duration SETTLING_TIME = Duration.ofSeconds(60);

  private final Stack stack;
  private final PhaseReporter phases;
  private final int hosts;
  private final Duration measuringTime;

  HeartbeatBench(Stack stack, PhaseReporter phases, int hosts, Duration measuringTime) {
    this.stack = stack;
    this.phases = phases;
    this.hosts = hosts;
    this.measuringTime = measuringTime;
  }

  AgentFigures run() {
    StackStarter stackStarter = new StackStarter(stack, phases);
    stackStarter.start();
    try (RestClient restClient = stackStarter.adminClient(UpgradeBench.TENANT)) {
      restClient.putTenant();
      phases.run(
          "devices", () -> UpgradeBench.addDevices(restClient, new ParallelClients(), hosts));
      phases.run("settles", () -> wait(SETTLING_TIME));
      double without = serverPercent("no hosts");
      StackProgram simulator = UpgradeBench.simulatedHosts(hosts).programOn(stack);
      phases.run("simulator", () -> UpgradeBench.start(restClient, simulator, hosts));
      phases.run("settles", () -> wait(SETTLING_TIME));
      double with = serverPercent(hosts + " hosts");
      return new AgentFigures(
          List.of(
              new AgentFigures.Figure(
                  "server, for %d hosts, %% of a core".formatted(hosts), 5, with - without),
              new AgentFigures.Figure("server, without hosts, % of a core", 5, without)));
    }
  }

  private static String wait(Duration time) {
    Sleeper.sleep(time);
    return "";
  }

  private double serverPercent(String phase) {
    ProcessUsage before = ProcessUsage.of(stack.server().pid());
    phases.run(phase, () -> wait(measuringTime));
    Duration cpu = ProcessUsage.of(stack.server().pid()).cpu().minus(before.cpu());
    return 100.0 * cpu.toMillis() / measuringTime.toMillis();
  }
}
