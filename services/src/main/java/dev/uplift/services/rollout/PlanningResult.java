package dev.uplift.services.rollout;

import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.store.rollout.RolloutRow;
import java.util.List;

/// The result of planning a rollout.
public sealed interface PlanningResult {
  /// It could be; nothing is stored.
  record Previewed(RolloutPreview preview) implements PlanningResult {}

  /// It is in the records now. Unless it is a draft, its workflow is to be started.
  record Created(RolloutRow row) implements PlanningResult {}

  /// A rollout with this id exists. The caller compares it with its own.
  record AlreadyExists(RolloutRow row) implements PlanningResult {}

  /// There is no draft with this id.
  record DraftNotFound() implements PlanningResult {}

  /// Something is wrong with it; nothing is stored.
  ///
  /// @param faults JSON pointer and detail each
  record Invalid(List<PlanViolation> faults) implements PlanningResult {
    public Invalid {
      faults = List.copyOf(faults);
    }
  }
}
