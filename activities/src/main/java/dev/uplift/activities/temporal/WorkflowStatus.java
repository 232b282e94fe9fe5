package dev.uplift.activities.temporal;

import dev.uplift.workflows.device.UpgradeResult;

/// What became of the workflow of an upgrade.
public sealed interface WorkflowStatus {
  /// It runs.
  record Running() implements WorkflowStatus {}

  /// It returned this.
  record Completed(UpgradeResult result) implements WorkflowStatus {}

  /// It will never return anything.
  ///
  /// @param code a fixed word: `terminated`, `failed`, `gone`
  /// @param text for people
  record Lost(String code, String text) implements WorkflowStatus {}
}
