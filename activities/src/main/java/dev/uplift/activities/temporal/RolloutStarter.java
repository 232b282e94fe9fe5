package dev.uplift.activities.temporal;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.Rollout;
import dev.uplift.workflows.rollout.RolloutInput;
import dev.uplift.workflows.rollout.RolloutTimeouts;
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
  private final RolloutTimeouts timeouts;

  public RolloutStarter(TemporalClients temporal, RolloutTimeouts timeouts) {
    this.client = temporal.requestClient();
    this.timeouts = timeouts;
  }

  /// Its workflow runs, or has run to its end. Safe to repeat.
  ///
  /// @param row with its devices frozen
  /// @throws TemporalUnavailable when it may or may not have been started
  public void start(RolloutRow row) {
    RolloutInput input = start(row.id(), row);
    startWorkflow(input, input.workflowOptions());
  }

  /// The same, also where its workflow has run to its end and the records know of none, as after
  /// they were put back to an older copy.
  public void restart(RolloutRow row) {
    RolloutInput input = start(row.id(), row);
    startWorkflow(
        input,
        WorkflowOptions.newBuilder(input.workflowOptions())
            .setWorkflowIdReusePolicy(
                WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
            .build());
  }

  private RolloutInput start(RolloutId id, RolloutRow row) {
    return new RolloutInput(id.tenant(), id.name(), row.release(), timeouts);
  }

  private void startWorkflow(RolloutInput input, WorkflowOptions options) {
    TemporalClients.call(() -> {
      try {
        return WorkflowClient.start(client.newWorkflowStub(Rollout.class, options)::run, input);
      } catch (WorkflowExecutionAlreadyStarted e) {
        return e.getExecution();
      }
    });
  }

  /// What there is of the workflow of a rollout.
  public enum WorkflowState {
    RUNNING,
    NONE,
    /// It will do nothing more.
    ENDED
  }

  /// Looks whether there is one.
  ///
  /// @throws TemporalUnavailable when that cannot be found out now
  public WorkflowState workflowState(RolloutId id) {
    return TemporalClients.call(() -> {
      try {
        return client
                    .newUntypedWorkflowStub(RolloutInput.workflowId(id.tenant(), id.name()))
                    .describe()
                    .getStatus()
                == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING
            ? WorkflowState.RUNNING
            : WorkflowState.ENDED;
      } catch (WorkflowNotFoundException _) {
        return WorkflowState.NONE;
      }
    });
  }
}
