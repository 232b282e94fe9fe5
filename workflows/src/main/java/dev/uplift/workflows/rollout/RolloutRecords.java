package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.Decision;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.Optional;

/// The rows of a rollout, which REST reads also while Temporal is unavailable. Each call is one transaction of
/// milliseconds under the lock of the rollout's row, is safe to repeat, and is retried until it succeeds.
@ActivityInterface
public interface RolloutRecords {
  /// Reads where the rollout is. Begins its first wave if that is due.
  @ActivityMethod(name = "read-status")
  RolloutStatus readStatus(RolloutInput input);

  /// Writes a decision of the workflow, with what follows from it, and returns where the rollout is then. Writes
  /// nothing if the wave has changed meanwhile, or if the rows ask for another decision by now: so a repeated call, and
  /// one after a reset, changes nothing.
  ///
  /// @param wave the current one when it was decided
  @ActivityMethod(name = "record-decision")
  RolloutStatus recordDecision(RolloutInput input, int wave, Decision decision);

  /// Carries out and audits what an operator wants, or refuses it and changes nothing. Once it has returned, no pass
  /// over the devices decides against it.
  @ActivityMethod(name = "apply-action")
  AppliedAction applyAction(RolloutInput input, RolloutAction action);

  /// The result of an action.
  ///
  /// @param status where the rollout is afterwards; empty if there is no such rollout
  record AppliedAction(ActionResult result, Optional<RolloutStatus> status) {}
}
