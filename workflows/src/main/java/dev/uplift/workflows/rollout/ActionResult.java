package dev.uplift.workflows.rollout;

/// The result of an operator's action.
///
/// @param applied whether it was carried out; if not, nothing has changed
/// @param message what was done, or why not and what is possible instead
public record ActionResult(boolean applied, String message) {}
