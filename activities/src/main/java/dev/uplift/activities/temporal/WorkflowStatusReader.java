package dev.uplift.activities.temporal;

import dev.uplift.activities.temporal.WorkflowStatus.Completed;
import dev.uplift.activities.temporal.WorkflowStatus.Lost;
import dev.uplift.activities.temporal.WorkflowStatus.Running;
import dev.uplift.fleet.DeviceId;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeResult;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowTargetOptions;
import jakarta.inject.Singleton;
import java.util.Optional;

/// Reads from Temporal what became of the workflows of upgrades.
@Singleton
public final class WorkflowStatusReader {
  private static final String NOT_FOUND = "workflow-not-found";

  private final WorkflowClient client;
  private final RunningUpgrades runs;

  public WorkflowStatusReader(TemporalClients temporal) {
    this.client = temporal.requestClient();
    this.runs = new RunningUpgrades(client);
  }

  /// Returns what became of an upgrade that was started once.
  ///
  /// @throws TemporalUnavailable if that cannot be read now
  public WorkflowStatus read(DeviceId device, String upgrade) {
    return TemporalClients.call(() -> {
      Optional<RunningUpgrades.Run> run = runs.findNewest(device);
      if (run.isEmpty()) {
        return new Lost(NOT_FOUND, "Temporal no longer knows its workflow");
      }
      if (!run.get().upgrade().equals(upgrade)) {
        return new Lost(
            NOT_FOUND, "Temporal no longer knows its workflow, only a later one of the device");
      }
      return toStatus(UpgradePlan.workflowId(device), run.get());
    });
  }

  private WorkflowStatus toStatus(String workflowId, RunningUpgrades.Run run) {
    return switch (run.status()) {
      case WORKFLOW_EXECUTION_STATUS_COMPLETED, WORKFLOW_EXECUTION_STATUS_FAILED ->
          ended(workflowId, run.runId());
      case WORKFLOW_EXECUTION_STATUS_TERMINATED ->
          new Lost("terminated", describeTermination(lastEvent(workflowId, run.runId())));
      case WORKFLOW_EXECUTION_STATUS_CANCELED ->
          new Lost("cancelled", "cancelled in Temporal, and how it ended is not known");
      case WORKFLOW_EXECUTION_STATUS_TIMED_OUT ->
          new Lost("failed", "its workflow timed out in Temporal");
      default -> new Running();
    };
  }

  /// An upgrade that did not reach what was wanted has failed with its result.
  private WorkflowStatus ended(String workflowId, String runId) {
    WorkflowStub workflow =
        client.newUntypedWorkflowStub(
            WorkflowTargetOptions.newBuilder().setWorkflowId(workflowId).setRunId(runId).build());
    try {
      return new Completed(workflow.getResult(UpgradeResult.class));
    } catch (WorkflowFailedException failed) {
      return UpgradeResult.ofFailure(failed.getCause())
          .<WorkflowStatus>map(Completed::new)
          .orElseGet(
              () -> new Lost("failed", "its workflow failed by a bug: " + failed.getCause()));
    }
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
