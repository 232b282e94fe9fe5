package dev.uplift.workflows.rollout;

/// What became of a wish.
///
/// @param done whether it was carried out; if not, nothing has changed
/// @param sentence what was done, or why not and what is possible instead
public record Steered(boolean done, String sentence) {}
