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
import jakarta.inject.Singleton;

/// Starts the workflows of rollouts. Their rows are written first, so the reconciler finds a
/// rollout that was not started because of a kill.
@Singleton
public final class RolloutStarter {
  private final WorkflowClient client;
  private final RolloutTimeouts timeouts;

  public RolloutStarter(TemporalClients temporal, RolloutTimeouts timeouts) {
    this.client = temporal.requestClient();
    this.timeouts = timeouts;
  }

  /// Starts the workflow unless it runs or has ended. Safe to repeat.
  ///
  /// @param row with its devices frozen
  /// @throws TemporalUnavailable if it may or may not have been started
  public void start(RolloutRow row) {
    RolloutInput input = start(row.id(), row);
    startWorkflow(input, input.workflowOptions());
  }

  /// Starts the workflow also if it has ended before its row did: it was terminated, or the tables
  /// were restored from an older copy.
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

  /// The state of the workflow of a rollout.
  public enum WorkflowState {
    RUNNING,
    NONE,
    /// Completed, failed, cancelled or terminated.
    ENDED
  }

  /// Reads the state of the workflow.
  ///
  /// @throws TemporalUnavailable if that cannot be read now
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
