package dev.uplift.store.rollout;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A row of `rollout_decision`.
@MappedEntity("rollout_decision")
record DecisionEntity(
    String tenant,
    String rollout,
    @Id long number,
    Instant decidedAt,
    int wave,
    String decision,
    String reason,
    String message,
    String inputs,
    String actor,
    @Nullable String requestId) {

  DecisionRow toRow() {
    return new DecisionRow(
        number,
        decidedAt,
        new NewDecision(
            wave, decision, reason, message, inputs, actor, Optional.ofNullable(requestId)));
  }
}
