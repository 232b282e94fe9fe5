package dev.uplift.activities.temporal;

import dev.uplift.fleet.RolloutId;
import dev.uplift.workflows.rollout.Rollout;
import dev.uplift.workflows.rollout.RolloutAction;
import dev.uplift.workflows.rollout.RolloutInput;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.client.WorkflowUpdateStage;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;

/// Sends operators' actions and signals to the workflows of rollouts.
@Singleton
public final class RolloutWorkflowClient {
  private static final String UPDATE_NAME = "applyAction";

  private final WorkflowClient client;

  public RolloutWorkflowClient(TemporalClients temporal) {
    this.client = temporal.requestClient();
  }

  /// Sends an action as an Update and returns its result. Safe to repeat with the same id.
  ///
  /// @throws TemporalUnavailable if it may or may not have been carried out
  public UpdateResult update(RolloutId id, RolloutAction action) {
    return RequestTimeout.withTimeout(() -> {
      try {
        var answer =
            stub(id)
                .startUpdate(
                    UpdateOptions.newBuilder(dev.uplift.workflows.rollout.ActionResult.class)
                        .setUpdateName(UPDATE_NAME)
                        .setUpdateId(action.id())
                        .setWaitForStage(WorkflowUpdateStage.COMPLETED)
                        .build(),
                    action)
                .getResult();
        return answer.applied()
            ? new UpdateResult.Completed(answer.message())
            : new UpdateResult.Rejected(answer.message());
      } catch (WorkflowUpdateException e) {
        // Its validator has refused it, or the workflow has ended meanwhile.
        return isRunning(id) ? new UpdateResult.Rejected(reason(e)) : new UpdateResult.NotRunning();
      } catch (WorkflowNotFoundException _) {
        return new UpdateResult.NotRunning();
      }
    });
  }

  /// Signals a rollout that a window, a hold or a label has changed. Does nothing if it does not
  /// run.
  public void recheck(RolloutId id) {
    TemporalClients.call(() -> {
      try {
        client.newWorkflowStub(Rollout.class, workflowId(id)).recheck();
        return true;
      } catch (WorkflowNotFoundException _) {
        return false;
      }
    });
  }

  private boolean isRunning(RolloutId id) {
    return stub(id).describe().getStatus()
        == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
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
