package dev.uplift.store;

/// What came of an outcome.
///
/// @param row with the outcome that counts
/// @param first whether it is this one; a later one is kept beside it and changes nothing
public record Settled(CommandRow row, boolean first) {}
