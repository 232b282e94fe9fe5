package dev.uplift.store.rollout;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/// A device in a rollout, as it stands.
///
/// @param queuePosition where it is in the order of starts
/// @param prepareAhead whether it was started before its window, and has not been told to go on
/// @param attempt which one it is in, or is to come, or was the last; from 1
/// @param upgrade id of the upgrade of this attempt, once it was to be started
/// @param result what came of the last attempt; empty again while it is tried again
/// @param resultNumber its place among all of the rollout; without one it is not judged
/// @param changed whether a host was touched in any attempt
/// @param error the first one, whatever came after
/// @param startedAt when the newest attempt was to be started
/// @param notBefore the end of the time between two tries
/// @param revertUpgrade id of the upgrade that takes it back
/// @param revertOutcome how that ended
public record TargetRow(
    String device,
    QueuePosition queuePosition,
    TargetState state,
    boolean prepareAhead,
    int attempt,
    Optional<String> upgrade,
    Optional<TargetResult> result,
    OptionalLong resultNumber,
    boolean changed,
    Optional<TargetError> error,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<Instant> notBefore,
    Optional<String> revertUpgrade,
    Optional<Outcome> revertOutcome) {

  /// A place in the order of starts.
  ///
  /// @param position within the wave
  public record QueuePosition(int wave, long position) {
    /// Before all devices.
    public static final QueuePosition FIRST = new QueuePosition(0, -1);
  }
}
