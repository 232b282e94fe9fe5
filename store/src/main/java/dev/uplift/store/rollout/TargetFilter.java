package dev.uplift.store.rollout;

import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import java.util.Optional;
import java.util.OptionalInt;

/// Which devices of a rollout are wanted; what is empty does not matter.
public record TargetFilter(OptionalInt wave, Optional<TargetState> state, Optional<TargetResult> result) {
  public static final TargetFilter ALL = new TargetFilter(OptionalInt.empty(), Optional.empty(), Optional.empty());
}
