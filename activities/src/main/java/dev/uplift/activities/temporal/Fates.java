package dev.uplift.activities.temporal;

import dev.uplift.activities.temporal.Fate.Ended;
import dev.uplift.activities.temporal.Fate.Lost;
import dev.uplift.activities.temporal.Fate.Open;
import dev.uplift.fleet.DeviceId;
import dev.uplift.workflows.device.Ending;
import dev.uplift.workflows.device.UpgradePlan;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowTargetOptions;
import java.util.Optional;

/// Finds out what became of workflows.
public final class Fates {
  private final WorkflowClient client;
  private final Upgrading upgrading;

  public Fates(TemporalLink temporal) {
    this.client = temporal.requestClient();
    this.upgrading = new Upgrading(client);
  }

  /// What became of an upgrade that was once begun.
  ///
  /// @throws TemporalAway when that cannot be found out now
  public Fate of(DeviceId device, String upgrade) {
    return TemporalLink.asking(() -> {
      Optional<Upgrading.Run> run = upgrading.newest(device);
      if (run.isEmpty()) {
        return new Lost("gone", "Temporal does not know its workflow any more");
      }
      if (!run.get().upgrade().equals(upgrade)) {
        return new Lost("gone", "its workflow is gone, and a later one of the device was there");
      }
      return fate(UpgradePlan.workflowId(device), run.get());
    });
  }

  private Fate fate(String workflowId, Upgrading.Run run) {
    return switch (run.status()) {
      case WORKFLOW_EXECUTION_STATUS_COMPLETED -> new Ended(result(workflowId, run.runId()));
      case WORKFLOW_EXECUTION_STATUS_TERMINATED ->
          new Lost("terminated", terminated(last(workflowId, run.runId())));
      case WORKFLOW_EXECUTION_STATUS_FAILED ->
          new Lost(
              "failed",
              "its workflow failed, which is a mistake of ours: "
                  + last(workflowId, run.runId())
                      .getWorkflowExecutionFailedEventAttributes()
                      .getFailure()
                      .getMessage());
      case WORKFLOW_EXECUTION_STATUS_CANCELED ->
          new Lost("cancelled", "cancelled in Temporal, and how it ended is not known");
      case WORKFLOW_EXECUTION_STATUS_TIMED_OUT ->
          new Lost("failed", "its workflow timed out in Temporal");
      default -> new Open();
    };
  }

  private Ending result(String workflowId, String runId) {
    return client
        .newUntypedWorkflowStub(
            WorkflowTargetOptions.newBuilder().setWorkflowId(workflowId).setRunId(runId).build())
        .getResult(Ending.class);
  }

  private static String terminated(HistoryEvent last) {
    var said = last.getWorkflowExecutionTerminatedEventAttributes();
    String by = said.getIdentity().isEmpty() ? "" : " by " + said.getIdentity();
    return "terminated in Temporal"
        + by
        + (said.getReason().isEmpty() ? "" : ": " + said.getReason());
  }

  private HistoryEvent last(String workflowId, String runId) {
    return client.fetchHistory(workflowId, runId).getEvents().getLast();
  }
}
