package dev.uplift.activities.temporal;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.RolloutRow;
import dev.uplift.workflows.rollout.Rollout;
import dev.uplift.workflows.rollout.RolloutPace;
import dev.uplift.workflows.rollout.RolloutStart;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;

/// Starts the workflows of rollouts, whose rows come first: one that was not started for a kill is
/// found by its row.
public final class RolloutStarter {
  private final WorkflowClient client;
  private final RolloutPace pace;

  public RolloutStarter(TemporalLink temporal, RolloutPace pace) {
    this.client = temporal.requestClient();
    this.pace = pace;
  }

  /// Its workflow runs, or has run to its end. Safe to repeat.
  ///
  /// @param row with its devices frozen
  /// @throws TemporalAway when it may or may not have been started
  public void start(RolloutRow row) {
    RolloutStart start = start(row.id(), row);
    begin(start, start.options());
  }

  /// The same, also where its workflow has run to its end and the records know of none, as after
  /// they were put back to an older copy.
  public void startAgain(RolloutRow row) {
    RolloutStart start = start(row.id(), row);
    begin(
        start,
        WorkflowOptions.newBuilder(start.options())
            .setWorkflowIdReusePolicy(
                WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
            .build());
  }

  private RolloutStart start(RolloutId id, RolloutRow row) {
    return new RolloutStart(id.tenant(), id.name(), row.release(), pace);
  }

  private void begin(RolloutStart start, WorkflowOptions options) {
    TemporalLink.asking(() -> {
      try {
        return WorkflowClient.start(client.newWorkflowStub(Rollout.class, options)::run, start);
      } catch (WorkflowExecutionAlreadyStarted e) {
        return e.getExecution();
      }
    });
  }

  /// What there is of the workflow of a rollout.
  public enum Found {
    RUNNING,
    NONE,
    /// It will do nothing more.
    ENDED
  }

  /// Looks whether there is one.
  ///
  /// @throws TemporalAway when that cannot be found out now
  public Found find(RolloutId id) {
    return TemporalLink.asking(() -> {
      try {
        return client
                    .newUntypedWorkflowStub(RolloutStart.workflowId(id.tenant(), id.name()))
                    .describe()
                    .getStatus()
                == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING
            ? Found.RUNNING
            : Found.ENDED;
      } catch (WorkflowNotFoundException _) {
        return Found.NONE;
      }
    });
  }
}
