package dev.uplift.fleet.rollout.decision;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Abort;
import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.NextWave;
import dev.uplift.fleet.rollout.Decision.Pause;
import dev.uplift.fleet.rollout.Decision.RollBackWave;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import java.util.Optional;

/// The work on devices that a decision asks for. A rollout does one of these at a time, and decides again when the
/// policy asks for another one, or for none.
public enum WaveStep {
  /// Start devices as long as the limits allow, and collect what came of them.
  UPGRADE_WAVE,
  /// Watch the upgraded devices of the wave until its soak time is over.
  SOAK_WAVE,
  /// Revert the upgraded devices of a wave.
  ROLL_BACK_WAVE,
  /// Start nothing, and collect what comes of the upgrades that still run.
  FINISH_RUNNING;

  /// The step that `decision` asks for, given what it was made from; empty if no device is to be worked on: the rollout
  /// waits for a person or a time, or changes its state.
  public static Optional<WaveStep> of(Decision decision, RolloutSnapshot snapshot) {
    return switch (decision) {
      case Start _ -> Optional.of(UPGRADE_WAVE);
      case Wait wait ->
          switch (wait.reason()) {
            case SOAK -> Optional.of(SOAK_WAVE);
            case ROLLING_BACK -> Optional.of(ROLL_BACK_WAVE);
            case PAUSED, APPROVAL, GATE_TIME, ABORTING ->
                snapshot.open() > 0 ? Optional.of(FINISH_RUNNING) : Optional.empty();
            case UPGRADES_RUNNING,
                MAX_PARALLEL,
                RATE_LIMIT,
                GROUP_LIMIT,
                WINDOW,
                NO_WINDOW,
                BACK_OFF,
                DEVICE_BUSY,
                LOWER_PRIORITY,
                OFFLINE,
                PRESENCE_UNKNOWN,
                DEVICE_HELD,
                DEVICE_PINNED,
                STOPPED ->
                Optional.of(UPGRADE_WAVE);
          };
      case NextWave _, Pause _, Abort _, RollBackWave _, Finish _ -> Optional.empty();
    };
  }
}
