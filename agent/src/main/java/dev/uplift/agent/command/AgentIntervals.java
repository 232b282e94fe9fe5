package dev.uplift.agent.command;

import java.time.Duration;

/// How often and how long: all durations of the agent's core in one place.
///
/// @param heartbeat between two heartbeats, spread by a tenth
/// @param poll between two looks when nothing rings
/// @param recheck after a bell that nothing new was found for, and `againLate` after it too: the
///   stream's copy that answered may have been behind
/// @param rebootTimeout how long a host may take to go down once its reboot command has ended well
/// @param firstRetry first pause before a step that may succeed is tried again; doubles
/// @param maxRetry the longest such pause
/// @param inspectTimeout what a measurement may take before the version counts as unknown
public record AgentIntervals(
    Duration heartbeat,
    Duration poll,
    Duration recheck,
    Duration lateRecheck,
    Duration rebootTimeout,
    Duration firstRetry,
    Duration maxRetry,
    Duration inspectTimeout) {

  /// The usual one, with this time between two beats.
  public static AgentIntervals defaults(Duration beat) {
    return new AgentIntervals(
        beat,
        Duration.ofMinutes(5),
        Duration.ofSeconds(2),
        Duration.ofSeconds(8),
        Duration.ofMinutes(5),
        Duration.ofSeconds(2),
        Duration.ofMinutes(1),
        Duration.ofSeconds(10));
  }

  public AgentIntervals withRebootTimeout(Duration within) {
    return new AgentIntervals(
        heartbeat, poll, recheck, lateRecheck, within, firstRetry, maxRetry, inspectTimeout);
  }
}
