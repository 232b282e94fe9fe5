package dev.uplift.activities.temporal;

import dev.uplift.fleet.RolloutId;
import dev.uplift.workflows.rollout.Rollout;
import dev.uplift.workflows.rollout.RolloutAction;
import dev.uplift.workflows.rollout.RolloutInput;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.client.WorkflowUpdateStage;

/// Asks and steers rollouts that run.
public final class RolloutWorkflowClient {
  private static final String UPDATE_NAME = "steer";

  private final WorkflowClient client;

  public RolloutWorkflowClient(TemporalClients temporal) {
    this.client = temporal.requestClient();
  }

  /// Hands a wish over and returns what became of it. Safe to repeat with the same id.
  ///
  /// @throws TemporalUnavailable when it may or may not have been carried out
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
      } catch (WorkflowNotFoundException | WorkflowUpdateException _) {
        // It has ended, perhaps while it was asked.
        return new UpdateResult.NotRunning();
      }
    });
  }

  /// Tells a rollout that rests to look again, for something has changed that it cannot know of.
  /// One that does not run is not told.
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

  private WorkflowStub stub(RolloutId id) {
    return client.newUntypedWorkflowStub(workflowId(id));
  }

  private static String workflowId(RolloutId id) {
    return RolloutInput.workflowId(id.tenant(), id.name());
  }
}
