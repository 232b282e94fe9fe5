package dev.uplift.activities.temporal;

/// The result of starting an upgrade.
public sealed interface StartResult {
  /// It runs from now on.
  record Started(String runId) implements StartResult {}

  /// It was started before and runs.
  record AlreadyRunning(String runId) implements StartResult {}

  /// Another upgrade of the device runs.
  record DeviceBusy(String upgrade) implements StartResult {}
}
