package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.RolloutOutcome;

/// What a rollout returns.
///
/// @param message why it ended so
public record RolloutResult(RolloutOutcome outcome, String message) {}
