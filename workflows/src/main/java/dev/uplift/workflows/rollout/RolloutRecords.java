package dev.uplift.workflows.rollout;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/// What stands in the tables about a rollout. Each call takes milliseconds and is tried again until
/// it succeeds.
@ActivityInterface
public interface RolloutRecords {
  /// The wish is carried out, audited, and holds for every tick from now on, also one under way; or
  /// it is refused and nothing has changed. Safe to repeat with the same id.
  @ActivityMethod(name = "steer")
  ActionResult applyAction(RolloutInput input, RolloutAction action);
}
