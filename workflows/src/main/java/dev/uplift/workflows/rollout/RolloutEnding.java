package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.RolloutOutcome;

/// What a rollout returns.
///
/// @param sentence why it ended so
public record RolloutEnding(RolloutOutcome outcome, String sentence) {}
