package dev.uplift.fleet.rollout;

/// Something in a plan that is not as it should be.
///
/// @param pointer JSON pointer to the field, as the API calls it
/// @param detail what was found and what would be right, for people
public record Fault(String pointer, String detail) {}
