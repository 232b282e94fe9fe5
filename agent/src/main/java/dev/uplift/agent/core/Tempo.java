package dev.uplift.agent.core;

import java.time.Duration;

/// How often and how long: all durations of the agent's core in one place.
///
/// @param beat between two heartbeats, spread by a tenth
/// @param look between two looks when nothing rings
/// @param again after a bell that nothing new was found for, and `againLate` after it too: the
///   stream's copy that answered may have been behind
/// @param goesDown how long a host may take to go down once its reboot command has ended well
/// @param retry first pause before a step that may succeed is tried again; doubles
/// @param retryAtMost the longest such pause
/// @param inspect what a measurement may take before the version counts as unknown
public record Tempo(
    Duration beat,
    Duration look,
    Duration again,
    Duration againLate,
    Duration goesDown,
    Duration retry,
    Duration retryAtMost,
    Duration inspect) {

  /// The usual one, with this time between two beats.
  public static Tempo beating(Duration beat) {
    return new Tempo(
        beat,
        Duration.ofMinutes(5),
        Duration.ofSeconds(2),
        Duration.ofSeconds(8),
        Duration.ofMinutes(5),
        Duration.ofSeconds(2),
        Duration.ofMinutes(1),
        Duration.ofSeconds(10));
  }

  public Tempo goingDownWithin(Duration within) {
    return new Tempo(beat, look, again, againLate, within, retry, retryAtMost, inspect);
  }
}
