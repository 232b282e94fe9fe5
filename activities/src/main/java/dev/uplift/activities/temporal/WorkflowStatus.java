package dev.uplift.activities.temporal;

import dev.uplift.workflows.device.UpgradeResult;

/// What became of the workflow of an upgrade.
public sealed interface WorkflowStatus {
  /// It runs.
  record Running() implements WorkflowStatus {}

  /// It ended with this result, whether its workflow completed or failed.
  record Completed(UpgradeResult result) implements WorkflowStatus {}

  /// It ended without a result.
  ///
  /// @param code a fixed word: `terminated`, `cancelled`, `failed`, `workflow-not-found`
  /// @param text for people
  record Lost(String code, String text) implements WorkflowStatus {}
}
