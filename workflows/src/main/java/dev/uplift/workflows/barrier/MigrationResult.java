package dev.uplift.workflows.barrier;

/// The result of a migration.
///
/// @param isRunning whether it is not over
/// @param isDone whether the device runs the version
/// @param message for people
public record MigrationResult(boolean isRunning, boolean isDone, String message) {}
