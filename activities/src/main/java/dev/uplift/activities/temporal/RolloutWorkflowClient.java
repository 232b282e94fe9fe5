package dev.uplift.activities.temporal;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.ActionResult;
import dev.uplift.workflows.rollout.Rollout;
import dev.uplift.workflows.rollout.RolloutAction;
import dev.uplift.workflows.rollout.RolloutInput;
import dev.uplift.workflows.rollout.RolloutTimeouts;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.client.WorkflowUpdateStage;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;

/// Starts the workflows of rollouts and sends them operators' actions and signals. All calls throw
/// [TemporalUnavailable] if it is unknown whether Temporal did what was asked.
@Singleton
public final class RolloutWorkflowClient {
  private static final String UPDATE_NAME = "applyAction";

  private final WorkflowClient client;
  private final RolloutTimeouts timeouts;

  /// @param timeouts of the rollouts that are started here
  public RolloutWorkflowClient(TemporalClients temporal, RolloutTimeouts timeouts) {
    this.client = temporal.requestClient();
    this.timeouts = timeouts;
  }

  /// The state of the workflow of a rollout.
  public enum WorkflowState {
    RUNNING,
    NONE,
    /// Completed, failed, cancelled or terminated.
    ENDED
  }

  /// Starts the workflow unless it runs or has ended. Safe to repeat. The row is written first, so the reconciler finds
  /// a rollout that was not started because of a kill.
  ///
  /// @param row with its devices frozen
  public void start(RolloutRow row) {
    startWorkflow(row, input(row).workflowOptions());
  }

  /// Starts the workflow also if it has ended before its row did: it was terminated, or the tables were restored from
  /// an older copy.
  public void restart(RolloutRow row) {
    startWorkflow(
        row,
        WorkflowOptions.newBuilder(input(row).workflowOptions())
            .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
            .build());
  }

  private RolloutInput input(RolloutRow row) {
    return new RolloutInput(row.id().tenant(), row.id().name(), row.release(), timeouts);
  }

  private void startWorkflow(RolloutRow row, WorkflowOptions options) {
    Rollout workflow = client.newWorkflowStub(Rollout.class, options);
    TemporalClients.startUnlessStarted(() -> WorkflowClient.start(workflow::run, input(row)));
  }

  public WorkflowState workflowState(RolloutId id) {
    return TemporalClients.call(() -> {
      try {
        return isRunning(id) ? WorkflowState.RUNNING : WorkflowState.ENDED;
      } catch (WorkflowNotFoundException _) {
        return WorkflowState.NONE;
      }
    });
  }

  /// Returns rollouts whose workflow runs, as Temporal has indexed them: what has begun or ended in the last seconds
  /// may be missing, or be there still.
  public List<RolloutId> listRunning(int limit) {
    return TemporalClients.call(() ->
        client
            .listExecutions("WorkflowType = 'Rollout' AND ExecutionStatus = 'Running'")
            .limit(limit)
            .flatMap(run -> rollout(run.getExecution().getWorkflowId()).stream())
            .toList());
  }

  /// Empty if Uplift gives no workflow such an id.
  private static Optional<RolloutId> rollout(String workflowId) {
    List<String> parts = List.of(workflowId.split("/", -1));
    try {
      return parts.size() == 3 ? Optional.of(new RolloutId(parts.get(1), parts.get(2))) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// Sends an action as an Update and returns its result. Safe to repeat with the same id.
  public UpdateResult update(RolloutId id, RolloutAction action) {
    return TemporalClients.callWithTimeout(() -> {
      try {
        ActionResult result =
            stub(id)
                .startUpdate(
                    UpdateOptions.newBuilder(ActionResult.class)
                        .setUpdateName(UPDATE_NAME)
                        .setUpdateId(action.id())
                        .setWaitForStage(WorkflowUpdateStage.COMPLETED)
                        .build(),
                    action)
                .getResult();
        return result.applied()
            ? new UpdateResult.Completed(result.message())
            : new UpdateResult.Rejected(result.message());
      } catch (WorkflowUpdateException e) {
        // Its validator has refused it, or the workflow has ended meanwhile.
        return isRunning(id) ? new UpdateResult.Rejected(reason(e)) : new UpdateResult.NotRunning();
      } catch (WorkflowNotFoundException _) {
        return new UpdateResult.NotRunning();
      }
    });
  }

  /// Signals a rollout that a window, a hold or a label has changed. Does nothing if it does not run.
  public void recheck(RolloutId id) {
    var _ = TemporalClients.signalIfRunning(() -> client.newWorkflowStub(Rollout.class, workflowId(id)).recheck());
  }

  private boolean isRunning(RolloutId id) {
    return stub(id).describe().getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
  }

  private static String reason(WorkflowUpdateException refused) {
    return refused.getCause() instanceof ApplicationFailure failure
        ? failure.getOriginalMessage()
        : String.valueOf(refused.getMessage());
  }

  private WorkflowStub stub(RolloutId id) {
    return client.newUntypedWorkflowStub(workflowId(id));
  }

  private static String workflowId(RolloutId id) {
    return RolloutInput.workflowId(id.tenant(), id.name());
  }
}
