package dev.uplift.agent.command;

import java.time.Duration;
import java.util.List;

/// All intervals and time-outs of the agent's core.
///
/// @param heartbeat between two heartbeats, spread by a tenth
/// @param poll between two reads without a notification
/// @param rechecks after a notification that brought nothing new: it may have overtaken its command on the way to the
///   stream, or the replica of the stream that answered may have been behind
/// @param rebootTimeout how long a host may take to go down once its reboot command has succeeded
/// @param firstRetry first pause before a step that may succeed is retried; doubles
/// @param maxRetry the longest such pause
/// @param inspectTimeout after which a measurement counts as unknown
public record AgentIntervals(
    Duration heartbeat,
    Duration poll,
    List<Duration> rechecks,
    Duration rebootTimeout,
    Duration firstRetry,
    Duration maxRetry,
    Duration inspectTimeout) {

  public AgentIntervals {
    rechecks = List.copyOf(rechecks);
  }

  /// The defaults, with this time between two heartbeats.
  public static AgentIntervals defaults(Duration heartbeat) {
    return new AgentIntervals(
        heartbeat,
        Duration.ofMinutes(5),
        List.of(Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofSeconds(8)),
        Duration.ofMinutes(5),
        Duration.ofSeconds(2),
        Duration.ofMinutes(1),
        Duration.ofSeconds(10));
  }

  public AgentIntervals withRebootTimeout(Duration within) {
    return new AgentIntervals(heartbeat, poll, rechecks, within, firstRetry, maxRetry, inspectTimeout);
  }
}
