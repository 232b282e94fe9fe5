package dev.uplift.store.rollout;

import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.EnumCodec;
import io.micronaut.core.annotation.Introspected;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How many devices of a rollout are alike.
@Introspected
record TargetCount(
    int wave, String state, boolean prepareAhead, @Nullable String result, int devices) {

  TargetCounts.Group toGroup() {
    return new TargetCounts.Group(
        wave,
        EnumCodec.decode(TargetState.class, state),
        prepareAhead,
        Optional.ofNullable(result).map(word -> EnumCodec.decode(TargetResult.class, word)),
        devices);
  }
}
