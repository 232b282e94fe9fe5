package dev.uplift.agent.command;

import java.time.Duration;

/// All intervals and time-outs of the agent's core.
///
/// @param heartbeat between two heartbeats, spread by a tenth
/// @param poll between two reads without a notification
/// @param recheck after a notification that brought nothing new; the replica of the stream that answered may have been
///   behind
/// @param lateRecheck the second time after it
/// @param rebootTimeout how long a host may take to go down once its reboot command has succeeded
/// @param firstRetry first pause before a step that may succeed is retried; doubles
/// @param maxRetry the longest such pause
/// @param inspectTimeout after which a measurement counts as unknown
public record AgentIntervals(
    Duration heartbeat,
    Duration poll,
    Duration recheck,
    Duration lateRecheck,
    Duration rebootTimeout,
    Duration firstRetry,
    Duration maxRetry,
    Duration inspectTimeout) {

  /// The defaults, with this time between two heartbeats.
  public static AgentIntervals defaults(Duration heartbeat) {
    return new AgentIntervals(
        heartbeat,
        Duration.ofMinutes(5),
        Duration.ofSeconds(2),
        Duration.ofSeconds(8),
        Duration.ofMinutes(5),
        Duration.ofSeconds(2),
        Duration.ofMinutes(1),
        Duration.ofSeconds(10));
  }

  public AgentIntervals withRebootTimeout(Duration within) {
    return new AgentIntervals(heartbeat, poll, recheck, lateRecheck, within, firstRetry, maxRetry, inspectTimeout);
  }
}
