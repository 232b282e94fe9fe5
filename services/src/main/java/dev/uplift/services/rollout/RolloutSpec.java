package dev.uplift.services.rollout;

import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import java.time.Duration;

/// Everything that is asked of a rollout.
///
/// @param title for people; may be empty
/// @param rollbackScope how much of a device is rolled back when one of its hosts fails
/// @param hostSoak how long the release has to run healthily on each host
/// @param allowDowngrade whether a host may run something newer than the release
/// @param stepTimeouts where they differ from those of the release and of the server
public record RolloutSpec(
    String title,
    RolloutPlan plan,
    RollbackScope rollbackScope,
    Duration hostSoak,
    boolean allowDowngrade,
    StepTimeouts stepTimeouts) {

  public RolloutSpec {
    // There were rows without them.
    stepTimeouts = stepTimeouts == null ? StepTimeouts.NONE : stepTimeouts;
  }

  /// With the time-outs of the release and of the server.
  public RolloutSpec(
      String title, RolloutPlan plan, RollbackScope rollbackScope, Duration hostSoak, boolean allowDowngrade) {
    this(title, plan, rollbackScope, hostSoak, allowDowngrade, StepTimeouts.NONE);
  }

  /// Returns a copy with another plan.
  public RolloutSpec withPlan(RolloutPlan other) {
    return new RolloutSpec(title, other, rollbackScope, hostSoak, allowDowngrade, stepTimeouts);
  }
}
