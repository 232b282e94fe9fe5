package dev.uplift.store.rollout;

import java.util.Optional;

/// A decision about a rollout, made by its policy or by an operator.
///
/// @param wave the current one
/// @param decision the fixed word of what is done
/// @param reason the fixed word of what it waits for or what stopped it; empty if there is none
/// @param message why, for people
/// @param inputs what was looked at, in words; empty if nothing was
/// @param actor a person, or `uplift`
/// @param requestId id of what the person asked for; each is in the log once
public record NewDecision(
    int wave, String decision, String reason, String message, String inputs, String actor, Optional<String> requestId) {
  /// Returns whether it differs from `other` in more than the numbers of its sentence.
  boolean differsFrom(NewDecision other) {
    return wave != other.wave
        || !decision.equals(other.decision)
        || !reason.equals(other.reason)
        || !actor.equals(other.actor);
  }
}
