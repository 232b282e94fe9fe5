package dev.uplift.activities.rollout;

import dev.uplift.fleet.Reach;
import dev.uplift.fleet.rollout.RolloutPlan;
import java.time.Duration;

/// All that somebody wants of a rollout.
///
/// @param title for people; may be empty
/// @param reach how much of a device is rolled back when one of its hosts fails
/// @param hostSoak for how long the release has to prove itself on each host
/// @param allowDowngrade whether a host may run something newer than the release
public record RolloutWish(
    String title, RolloutPlan plan, Reach reach, Duration hostSoak, boolean allowDowngrade) {
  RolloutWish with(RolloutPlan other) {
    return new RolloutWish(title, other, reach, hostSoak, allowDowngrade);
  }
}
