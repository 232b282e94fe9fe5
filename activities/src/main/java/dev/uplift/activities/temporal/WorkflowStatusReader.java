package dev.uplift.activities.temporal;

import dev.uplift.activities.temporal.WorkflowStatus.Completed;
import dev.uplift.activities.temporal.WorkflowStatus.Lost;
import dev.uplift.activities.temporal.WorkflowStatus.Running;
import dev.uplift.fleet.DeviceId;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowTargetOptions;
import java.util.Optional;

/// Finds out what became of workflows.
public final class WorkflowStatusReader {
  private final WorkflowClient client;
  private final RunningUpgrades runs;

  public WorkflowStatusReader(TemporalClients temporal) {
    this.client = temporal.requestClient();
    this.runs = new RunningUpgrades(client);
  }

  /// What became of an upgrade that was once begun.
  ///
  /// @throws TemporalUnavailable when that cannot be found out now
  public WorkflowStatus read(DeviceId device, String upgrade) {
    return TemporalClients.call(() -> {
      Optional<RunningUpgrades.Run> run = runs.findNewest(device);
      if (run.isEmpty()) {
        return new Lost("gone", "Temporal does not know its workflow any more");
      }
      if (!run.get().upgrade().equals(upgrade)) {
        return new Lost("gone", "its workflow is gone, and a later one of the device was there");
      }
      return toStatus(UpgradePlan.workflowId(device), run.get());
    });
  }

  private WorkflowStatus toStatus(String workflowId, RunningUpgrades.Run run) {
    return switch (run.status()) {
      case WORKFLOW_EXECUTION_STATUS_COMPLETED -> new Completed(result(workflowId, run.runId()));
      case WORKFLOW_EXECUTION_STATUS_TERMINATED ->
          new Lost("terminated", describeTermination(lastEvent(workflowId, run.runId())));
      case WORKFLOW_EXECUTION_STATUS_FAILED ->
          new Lost(
              "failed",
              "its workflow failed, which is a mistake of ours: "
                  + lastEvent(workflowId, run.runId())
                      .getWorkflowExecutionFailedEventAttributes()
                      .getFailure()
                      .getMessage());
      case WORKFLOW_EXECUTION_STATUS_CANCELED ->
          new Lost("cancelled", "cancelled in Temporal, and how it ended is not known");
      case WORKFLOW_EXECUTION_STATUS_TIMED_OUT ->
          new Lost("failed", "its workflow timed out in Temporal");
      default -> new Running();
    };
  }

  private UpgradeResult result(String workflowId, String runId) {
    return client
        .newUntypedWorkflowStub(
            WorkflowTargetOptions.newBuilder().setWorkflowId(workflowId).setRunId(runId).build())
        .getResult(UpgradeResult.class);
  }

  private static String describeTermination(HistoryEvent last) {
    var said = last.getWorkflowExecutionTerminatedEventAttributes();
    String by = said.getIdentity().isEmpty() ? "" : " by " + said.getIdentity();
    return "terminated in Temporal"
        + by
        + (said.getReason().isEmpty() ? "" : ": " + said.getReason());
  }

  private HistoryEvent lastEvent(String workflowId, String runId) {
    return client.fetchHistory(workflowId, runId).getEvents().getLast();
  }
}
