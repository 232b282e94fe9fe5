package dev.uplift.activities.temporal;

/// What came of starting an upgrade.
public sealed interface StartResult {
  /// It runs from now on.
  record Started() implements StartResult {}

  /// It was started before and runs.
  record AlreadyRunning() implements StartResult {}

  /// Another upgrade of the device runs.
  record DeviceBusy(String upgrade) implements StartResult {}
}
