package dev.uplift.activities.temporal;

import dev.uplift.workflows.device.Ending;

/// What became of the workflow of an upgrade.
public sealed interface Fate {
  /// It runs.
  record Open() implements Fate {}

  /// It returned this.
  record Ended(Ending ending) implements Fate {}

  /// It will never return anything.
  ///
  /// @param code a fixed word: `terminated`, `failed`, `gone`
  /// @param text for people
  record Lost(String code, String text) implements Fate {}
}
