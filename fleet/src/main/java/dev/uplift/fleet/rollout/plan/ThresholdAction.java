package dev.uplift.fleet.rollout.plan;

/// The reaction to a threshold.
public enum ThresholdAction {
  /// Nothing more is started until a person has decided.
  PAUSE,
  /// Nothing more is started, and the rollout ends.
  ABORT,
  /// The devices of the wave that run the release are reverted, and the rollout is paused.
  ROLL_BACK_WAVE
}
