package dev.uplift.store.command;

/// The result of recording an outcome.
///
/// @param row with the outcome that counts
/// @param isFirst whether it is this one; a later one is kept beside it and changes nothing
public record OutcomeRecorded(CommandRow row, boolean isFirst) {}
