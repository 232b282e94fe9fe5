package dev.uplift.temporaldev.bench;

import java.time.Duration;
import java.util.List;

/// Measures the cost of heartbeats of many idle hosts for the server, without its cost when idle.
record HeartbeatBench(BenchStack stack, int hosts, Duration measuringTime) {
  private static final Duration SETTLING_TIME = Duration.ofSeconds(60);

  AgentFigures run() {
    stack.addDevices(hosts);
    stack.sleep("settles", SETTLING_TIME);
    double without = serverPercent("no hosts");
    var _ = stack.startSimulator(hosts);
    stack.sleep("settles", SETTLING_TIME);
    double with = serverPercent(hosts + " hosts");
    return new AgentFigures(
        List.of(
            new AgentFigures.Figure("server, for %d hosts, %% of a core".formatted(hosts), 5, with - without),
            new AgentFigures.Figure("server, without hosts, % of a core", 5, without)));
  }

  private double serverPercent(String phase) {
    ProcessUsage before = stack.serverUsage();
    stack.sleep(phase, measuringTime);
    Duration cpu = stack.serverUsage().cpu().minus(before.cpu());
    return 100.0 * cpu.toMillis() / measuringTime.toMillis();
  }
}
