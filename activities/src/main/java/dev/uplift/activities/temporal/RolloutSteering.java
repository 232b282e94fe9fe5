package dev.uplift.activities.temporal;

import dev.uplift.fleet.RolloutId;
import dev.uplift.workflows.rollout.Rollout;
import dev.uplift.workflows.rollout.RolloutStart;
import dev.uplift.workflows.rollout.SteerWish;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.client.WorkflowUpdateStage;

/// Asks and steers rollouts that run.
public final class RolloutSteering {
  private static final String STEER = "steer";

  private final WorkflowClient client;

  public RolloutSteering(TemporalLink temporal) {
    this.client = temporal.requestClient();
  }

  /// Hands a wish over and returns what became of it. Safe to repeat with the same id.
  ///
  /// @throws TemporalAway when it may or may not have been carried out
  public Steered steer(RolloutId id, SteerWish wish) {
    return Patience.inTime(() -> {
      try {
        var answer =
            stub(id)
                .startUpdate(
                    UpdateOptions.newBuilder(dev.uplift.workflows.rollout.Steered.class)
                        .setUpdateName(STEER)
                        .setUpdateId(wish.id())
                        .setWaitForStage(WorkflowUpdateStage.COMPLETED)
                        .build(),
                    wish)
                .getResult();
        return answer.done()
            ? new Steered.Done(answer.sentence())
            : new Steered.Refused(answer.sentence());
      } catch (WorkflowNotFoundException | WorkflowUpdateException _) {
        // It has ended, perhaps while it was asked.
        return new Steered.Over();
      }
    });
  }

  /// Tells a rollout that rests to look again, for something has changed that it cannot know of.
  /// One that does not run is not told.
  public void lookAgain(RolloutId id) {
    TemporalLink.asking(() -> {
      try {
        client.newWorkflowStub(Rollout.class, workflowId(id)).lookAgain();
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
    return RolloutStart.workflowId(id.tenant(), id.name());
  }
}
