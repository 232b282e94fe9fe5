package dev.uplift.fleet.rollout.plan;

/// Something in a plan that is not as it should be.
///
/// @param pointer JSON pointer to the field, as the API calls it
/// @param message what was found and what would be right, for people
public record PlanViolation(String pointer, String message) {}
