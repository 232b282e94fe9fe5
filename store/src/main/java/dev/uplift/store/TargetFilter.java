package dev.uplift.store;

import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import java.util.Optional;
import java.util.OptionalInt;

/// Which devices of a rollout are wanted; what is empty does not matter.
public record TargetFilter(
    OptionalInt wave, Optional<TargetState> state, Optional<Verdict> verdict) {
  public static final TargetFilter ALL =
      new TargetFilter(OptionalInt.empty(), Optional.empty(), Optional.empty());
}
