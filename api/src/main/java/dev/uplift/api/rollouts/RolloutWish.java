package dev.uplift.api.rollouts;

import dev.uplift.fleet.Reach;
import dev.uplift.fleet.rollout.RolloutPlan;
import java.time.Duration;

/// What a client wants a rollout to be.
///
/// @param title for people; never empty
/// @param draft whether nothing is to happen by itself yet
/// @param options how each of its devices is upgraded
record RolloutWish(String title, RolloutPlan plan, boolean draft, Options options) {
  static final int TITLE_CHARS = 200;

  /// How a device is upgraded, as of a single one.
  ///
  /// @param hostSoak how long a host has to stay well before the next one's turn
  record Options(Reach reach, Duration hostSoak, boolean allowDowngrade) {
    static final Options USUAL = new Options(Reach.DEVICE, Duration.ZERO, false);
    static final Duration LONGEST_SOAK = Duration.ofDays(7);
  }
}
