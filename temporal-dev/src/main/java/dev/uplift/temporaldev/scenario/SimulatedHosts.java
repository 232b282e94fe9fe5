package dev.uplift.temporaldev.scenario;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Hosts that one process simulates, with the real agent code and a simulated package.
///
/// @param processName name of the process
/// @param prefix of the hosts' names, followed by numbers with five digits
/// @param version first version
/// @param heartbeatInterval of a host; shorter than the silence threshold of the server
/// @param driverSettings of the simulated driver
public record SimulatedHosts(
    String processName,
    String tenant,
    String prefix,
    int first,
    int count,
    String packageName,
    String version,
    Duration heartbeatInterval,
    Map<String, String> driverSettings) {
  /// The default of real agents.
  public static final Duration DEFAULT_HEARTBEAT_INTERVAL = Duration.ofSeconds(30);

  public List<String> hostNames() {
    return IntStream.range(first, first + count).mapToObj(this::hostName).toList();
  }

  private String hostName(int number) {
    return prefix + "%05d".formatted(number);
  }

  /// Returns the program, not started yet.
  public StackProgram programOn(Stack stack) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--nats",
                stack.nats().url(),
                "--credentials",
                stack.nats().operator().fleetCredentials(tenant).toString(),
                "--trust",
                stack.secrets().trustFolder(tenant).toString(),
                "--tenant",
                tenant,
                "--package",
                packageName + "=" + version,
                "--hosts",
                prefix + "#####",
                "--first",
                Integer.toString(first),
                "--count",
                Integer.toString(count),
                "--heartbeat-seconds",
                Long.toString(heartbeatInterval.toSeconds())));
    driverSettings.forEach((name, value) -> arguments.addAll(List.of("--set", name + "=" + value)));
    return stack.simulator(processName, arguments);
  }
}
