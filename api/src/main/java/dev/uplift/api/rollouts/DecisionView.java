package dev.uplift.api.rollouts;

import dev.uplift.store.DecisionRow;
import dev.uplift.store.NewDecision;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/// A decision about a rollout, by its policy or a person.
///
/// @param decision the fixed word of what is done
/// @param word the fixed word of what it waits for, or what stopped it
/// @param sentence why, for people
/// @param inputs what was looked at, in words
/// @param by a person, or `uplift`
@Serdeable
record DecisionView(
    long number,
    Instant at,
    int wave,
    String decision,
    Optional<String> word,
    String sentence,
    Optional<String> inputs,
    String by) {
  static DecisionView of(DecisionRow row) {
    NewDecision said = row.said();
    return new DecisionView(
        row.number(),
        row.decidedAt(),
        said.wave(),
        said.decision(),
        Optional.of(said.word()).filter(word -> !word.isEmpty()),
        said.sentence(),
        Optional.of(said.inputs()).filter(inputs -> !inputs.isEmpty()),
        said.who());
  }
}
