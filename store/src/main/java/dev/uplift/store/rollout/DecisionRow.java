package dev.uplift.store.rollout;

import dev.uplift.store.TextColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;

/// A decision in the log of a rollout.
///
/// @param number from 1, in the order in which they were made
@MappedEntity("rollout_decision")
public record DecisionRow(
    String tenant,
    String rollout,
    @Id long number,
    Instant decidedAt,
    int wave,
    @MappedProperty("decision") String word,
    String reason,
    @MappedProperty(converter = TextColumn.class) String message,
    @MappedProperty(converter = TextColumn.class) String inputs,
    @MappedProperty(converter = TextColumn.class) String actor,
    @MappedProperty(converter = TextColumn.class) Optional<String> requestId) {
  public NewDecision decision() {
    return new NewDecision(wave, word, reason, message, inputs, actor, requestId);
  }
}
