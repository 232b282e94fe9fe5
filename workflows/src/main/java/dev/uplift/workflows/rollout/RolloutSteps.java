package dev.uplift.workflows.rollout;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/// The work on the devices of a rollout, many at a time. Each activity runs until the policy asks for another step than
/// its own, an operator acts, nothing can be done for a while ([RolloutStatus#idle]), or [RolloutTimeouts#maxRun] is
/// over; it heartbeats meanwhile, and returns where the rollout is then.
///
/// Safe to repeat, also side by side: devices are marked under the lock of the rollout's row, so no device is started
/// twice and no result is counted twice.
@ActivityInterface
public interface RolloutSteps {
  /// Starts devices of the current wave, as many at a time as the limits, groups and windows allow, and collects their
  /// results.
  @ActivityMethod(name = "upgrade-wave")
  RolloutStatus upgradeWave(RolloutInput input);

  /// Watches the upgraded devices of the current wave until its soak time is over.
  @ActivityMethod(name = "soak-wave")
  RolloutStatus soakWave(RolloutInput input);

  /// Reverts the devices of a wave that run the release.
  @ActivityMethod(name = "roll-back-wave")
  RolloutStatus rollBackWave(RolloutInput input);

  /// Starts nothing, and collects the results of the upgrades that still run.
  @ActivityMethod(name = "finish-running")
  RolloutStatus finishRunning(RolloutInput input);
}
