package dev.uplift.workflows.rollout;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.Optional;

/// Brings one release to many devices, wave by wave. Start it with [RolloutInput#workflowOptions].
///
/// To cancel the workflow in Temporal is a soft abort: what runs goes on to its end. It then closes
/// as cancelled, and its ending stands in the records alone.
@WorkflowInterface
public interface Rollout {
  /// Returns how it ended, whatever that was. Fails only when there is a bug.
  @WorkflowMethod
  RolloutResult run(RolloutInput input);

  /// Answers at once with what it did, or why not. Safe to repeat with the same id: the first
  /// answer comes again. Once it has answered, no device is started against it.
  @UpdateMethod
  ActionResult applyAction(RolloutAction action);

  /// Something has changed that a rollout at rest cannot know of: a window, a hold, a label.
  @SignalMethod
  void recheck();

  /// What the last tick found; empty before the first one.
  @QueryMethod
  Optional<RolloutProgress> status();
}
