package dev.uplift.store.rollout;

import dev.uplift.fleet.rollout.RolloutState;
import java.util.Optional;

/// Which rollouts are wanted; what is empty does not matter.
public record RolloutFilter(Optional<RolloutState> state, Optional<String> packageName, Optional<String> version) {
  public static final RolloutFilter ALL = new RolloutFilter(Optional.empty(), Optional.empty(), Optional.empty());
}
