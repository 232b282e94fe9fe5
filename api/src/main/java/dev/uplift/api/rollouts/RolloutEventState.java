package dev.uplift.api.rollouts;

import dev.uplift.api.events.LastEventId;
import dev.uplift.store.rollout.DecisionRow;
import java.util.List;

/// The state of a rollout at one moment, for its event streams.
///
/// @param json the view of it
/// @param fingerprint differs from that of other states
/// @param isEnded whether it has ended or was deleted
/// @param newestDecisions of the log, the oldest first
record RolloutEventState(String json, String fingerprint, boolean isEnded, List<DecisionRow> newestDecisions) {
  RolloutEventState(String json, boolean isEnded, List<DecisionRow> newestDecisions) {
    this(json, LastEventId.fingerprintOf(json), isEnded, List.copyOf(newestDecisions));
  }

  /// Number of the newest decision; 0 before the first.
  long lastDecisionNumber() {
    return newestDecisions.isEmpty() ? 0 : newestDecisions.getLast().number();
  }

  /// Returns whether it has all decisions after this one.
  boolean hasAllAfter(long number) {
    return newestDecisions.isEmpty() || newestDecisions.getFirst().number() <= number + 1;
  }
}
