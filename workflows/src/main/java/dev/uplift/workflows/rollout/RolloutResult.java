package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.RolloutOutcome;

/// The result of a rollout.
///
/// @param message why it ended so
public record RolloutResult(RolloutOutcome outcome, String message) {}
