package dev.uplift.activities.temporal;

/// What came of starting an upgrade.
public sealed interface Start {
  /// It runs from now on.
  record Started() implements Start {}

  /// It was started before and runs.
  record Same() implements Start {}

  /// Another upgrade of the device runs.
  record Busy(String upgrade) implements Start {}
}
