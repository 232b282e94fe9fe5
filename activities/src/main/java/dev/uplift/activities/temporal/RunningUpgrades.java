package dev.uplift.activities.temporal;

import static io.temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;

import dev.uplift.fleet.DeviceId;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeWorkflowOptions;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowNotFoundException;
import java.util.Objects;
import java.util.Optional;

/// What Temporal knows of the upgrades of a device.
final class RunningUpgrades {
  /// One run of the workflow.
  ///
  /// @param upgrade id that its caller chose
  record Run(String upgrade, String runId, WorkflowExecutionStatus status) {
    boolean isOpen() {
      return status == WORKFLOW_EXECUTION_STATUS_RUNNING;
    }
  }

  private final WorkflowClient client;

  RunningUpgrades(WorkflowClient client) {
    this.client = client;
  }

  /// The run that is open; empty if none is.
  Optional<Run> findOpen(DeviceId device) {
    return findNewest(device).filter(Run::isOpen);
  }

  /// The newest run that Temporal remembers, open or closed.
  Optional<Run> findNewest(DeviceId device) {
    try {
      WorkflowExecutionDescription found =
          client.newUntypedWorkflowStub(UpgradePlan.workflowId(device)).describe();
      Object upgrade = found.getMemo(UpgradeWorkflowOptions.UPGRADE_ID, String.class);
      return Optional.of(
          new Run(
              Objects.toString(upgrade, ""), found.getExecution().getRunId(), found.getStatus()));
    } catch (WorkflowNotFoundException _) {
      return Optional.empty();
    }
  }
}
