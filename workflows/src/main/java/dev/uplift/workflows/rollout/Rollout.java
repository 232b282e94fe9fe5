package dev.uplift.workflows.rollout;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.UpdateValidatorMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.Optional;

/// Brings one release to many devices, wave by wave. Start it with [RolloutInput#workflowOptions].
///
/// It completes when all its waves are done. A rollout that was aborted, or met its deadline, closes as failed: the
/// type of the failure is the [dev.uplift.fleet.rollout.RolloutOutcome], its details are the [RolloutResult]. To cancel
/// the workflow in Temporal is a soft abort: running upgrades finish, then it closes as cancelled, and only the rows
/// have its outcome.
@WorkflowInterface
public interface Rollout {
  @WorkflowMethod
  RolloutResult run(RolloutInput input);

  /// Returns what it did, or why not. Safe to repeat with the same id: the first result comes again. After a stopping
  /// action has returned, no device is started.
  @UpdateMethod
  ActionResult applyAction(RolloutAction action);

  /// Refuses an action once the rollout has ended; such an update leaves no trace. Before that the rows decide, because
  /// they may be ahead of the workflow: an operator acts on what REST has read from them.
  @UpdateValidatorMethod(updateName = "applyAction")
  void validateAction(RolloutAction action);

  /// Says that a window, a hold or a label has changed. A rollout that waits decides again.
  @SignalMethod
  void recheck();

  /// Where it was when it last decided; empty before that.
  @QueryMethod
  Optional<RolloutStatus> status();
}
