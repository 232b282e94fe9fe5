package dev.uplift.cli.local;

import dev.uplift.temporaldev.Program;
import dev.uplift.temporaldev.Stack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Hosts that one process plays, with the agent's own core and a package that only pretends.
///
/// @param process name of the process
/// @param prefix of the hosts' names; their numbers follow, with five digits
/// @param version that they run at first
/// @param beat between two heartbeats of a host; shorter than what the server takes for silence
/// @param knobs of the simulated driver
public record SimulatedHosts(
    String process,
    String tenant,
    String prefix,
    int first,
    int count,
    String packageName,
    String version,
    Duration beat,
    Map<String, String> knobs) {
  /// As in the field.
  public static final Duration USUAL_BEAT = Duration.ofSeconds(30);

  public List<String> names() {
    return IntStream.range(first, first + count).mapToObj(this::name).toList();
  }

  private String name(int number) {
    return prefix + "%05d".formatted(number);
  }

  /// Not started yet.
  public Program on(Stack stack) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--nats",
                stack.nats().url(),
                "--credentials",
                stack.nats().realm().fleet(tenant).toString(),
                "--trust",
                stack.secrets().trust(tenant).toString(),
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
                "--beat-s",
                Long.toString(beat.toSeconds())));
    knobs.forEach((knob, value) -> arguments.addAll(List.of("--set", knob + "=" + value)));
    return stack.simulator(process, arguments);
  }
}
