package dev.uplift.workflows.rollout;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/// What a rollout does in the world.
@ActivityInterface
public interface RolloutSteps {
  /// Counts, decides and starts devices, over and over, until there is something to tell: the
  /// rollout has ended, waits for a person, or has nothing to do for a while. It returns after
  /// [RolloutTimeouts#maxRun] at the latest, and beats meanwhile. Safe to repeat, also side by side: no
  /// device is started twice and no outcome counted twice.
  @ActivityMethod(name = "tick")
  RolloutProgress advance(RolloutInput input);
}
