package dev.uplift.api.rollouts;

import dev.uplift.store.rollout.DecisionRow;
import dev.uplift.store.rollout.NewDecision;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/// A decision about a rollout, by its policy or a person.
///
/// @param decision the fixed word of what is done
/// @param reason the fixed word of what it waits for, or what stopped it
/// @param message why, for people
/// @param inputs what was looked at, in words
/// @param actor a person, or `uplift`
@Serdeable
record DecisionView(
    long number,
    Instant decidedAt,
    int wave,
    String decision,
    Optional<String> reason,
    String message,
    Optional<String> inputs,
    String actor) {
  static DecisionView of(DecisionRow row) {
    NewDecision said = row.decision();
    return new DecisionView(
        row.number(),
        row.decidedAt(),
        said.wave(),
        said.decision(),
        Optional.of(said.reason()).filter(word -> !word.isEmpty()),
        said.message(),
        Optional.of(said.inputs()).filter(inputs -> !inputs.isEmpty()),
        said.actor());
  }
}
