package dev.uplift.api.rollouts;

import dev.uplift.api.events.LastEventId;
import dev.uplift.store.rollout.DecisionRow;
import java.util.List;

/// A rollout at one moment, as those who listen are told of it.
///
/// @param json JSON
/// @param fingerprint tells this state from others
/// @param isEnded whether it has ended, or is not there any more
/// @param newestDecisions of the log, the oldest first
record RolloutEventState(
    String json, String fingerprint, boolean isEnded, List<DecisionRow> newestDecisions) {
  RolloutEventState(String json, boolean isEnded, List<DecisionRow> newestDecisions) {
    this(json, LastEventId.fingerprintOf(json), isEnded, List.copyOf(newestDecisions));
  }

  /// Number of the newest decision; 0 before the first.
  long lastDecisionNumber() {
    return newestDecisions.isEmpty() ? 0 : newestDecisions.getLast().number();
  }

  /// Whether it has all decisions after this one.
  boolean hasAllAfter(long number) {
    return newestDecisions.isEmpty() || newestDecisions.getFirst().number() <= number + 1;
  }
}
