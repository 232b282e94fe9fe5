package dev.uplift.fleet.rollout;

import java.time.Instant;
import java.util.Optional;

/// What a rollout does now. Each says why in one sentence for people.
public sealed interface Decision {
  String sentence();

  /// Start so many devices at most.
  ///
  /// @param now whose window is open
  /// @param ahead that only prepare, for a window to come
  /// @param together so many at most of both
  record Start(int now, int ahead, int together, String sentence) implements Decision {}

  /// Start nothing now.
  ///
  /// @param until when to look again at the latest; empty: when something has changed
  record Wait(Waiting what, Optional<Instant> until, String sentence) implements Decision {}

  /// The current wave is done; the next one is the current one from now on.
  record NextWave(String sentence) implements Decision {}

  /// Start nothing until a person says so.
  record Pause(String sentence) implements Decision {}

  /// Start nothing any more.
  record Abort(String sentence) implements Decision {}

  /// Take the upgraded devices of the current wave back, and start nothing until a person says so.
  record RollBackWave(String sentence) implements Decision {}

  /// Nothing is in work and nothing will be.
  record Finish(RolloutOutcome outcome, String sentence) implements Decision {}

  /// The fixed word of it.
  default String word() {
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
