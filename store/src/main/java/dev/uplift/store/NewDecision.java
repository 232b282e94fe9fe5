package dev.uplift.store;

import java.util.Optional;

/// What was decided about a rollout, by its policy or by a person.
///
/// @param wave the current one
/// @param decision the fixed word of what is done
/// @param word the fixed word of what it waits for or what stopped it; empty if there is none
/// @param sentence why, for people
/// @param inputs what was looked at, in words; empty if nothing was
/// @param who a person, or `uplift`
/// @param request id of what the person asked for; each is in the log once
public record NewDecision(
    int wave,
    String decision,
    String word,
    String sentence,
    String inputs,
    String who,
    Optional<String> request) {
  /// Whether it says anything but what `other` said; other numbers in the sentence do not.
  boolean differsFrom(NewDecision other) {
    return wave != other.wave
        || !decision.equals(other.decision)
        || !word.equals(other.word)
        || !who.equals(other.who);
  }
}
