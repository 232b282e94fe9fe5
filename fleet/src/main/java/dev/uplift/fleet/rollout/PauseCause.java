package dev.uplift.fleet.rollout;

/// The kind of actor that has paused a rollout.
public enum PauseCause {
  OPERATOR,
  /// The rollout itself, by its thresholds.
  THRESHOLD,
  /// The server, because the workflow of the rollout was ended in Temporal.
  WORKFLOW_ENDED
}
