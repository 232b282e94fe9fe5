package dev.uplift.fleet.rollout;

import java.time.Instant;
import java.util.Optional;

/// A decision about a rollout, with its reason in one sentence for people.
public sealed interface Decision {
  String message();

  /// Start so many devices at most.
  ///
  /// @param maxStarts whose window is open
  /// @param maxPreparing that only prepare, before their window
  /// @param maxTotal so many at most of both
  record Start(int maxStarts, int maxPreparing, int maxTotal, String message) implements Decision {}

  /// Start nothing now.
  ///
  /// @param until when to look again at the latest; empty: when something has changed
  record Wait(WaitReason reason, Optional<Instant> until, String message) implements Decision {}

  /// The current wave is done; the next one is the current one from now on.
  record NextWave(String message) implements Decision {}

  /// Start nothing until a person says so.
  record Pause(String message) implements Decision {}

  /// Start nothing any more.
  record Abort(String message) implements Decision {}

  /// Take the upgraded devices of the current wave back, and start nothing until a person says so.
  record RollBackWave(String message) implements Decision {}

  /// Nothing is in progress and nothing will be.
  record Finish(RolloutOutcome outcome, String message) implements Decision {}

  /// The fixed word of it.
  default String code() {
    return switch (this) {
      case Start _ -> "start";
      case Wait _ -> "wait";
      case NextWave _ -> "next-wave";
      case Pause _ -> "pause";
      case Abort _ -> "abort";
      case RollBackWave _ -> "roll-back-wave";
      case Finish _ -> "finish";
    };
  }
}
