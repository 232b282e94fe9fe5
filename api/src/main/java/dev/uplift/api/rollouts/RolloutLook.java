package dev.uplift.api.rollouts;

import dev.uplift.api.events.LastEvent;
import dev.uplift.store.DecisionRow;
import java.util.List;

/// A rollout at one moment, as those who listen are told of it.
///
/// @param state JSON
/// @param mark tells this state from others
/// @param isOver whether it has ended, or is not there any more
/// @param newest of the log, the oldest first
record RolloutLook(String state, String mark, boolean isOver, List<DecisionRow> newest) {
  RolloutLook(String state, boolean isOver, List<DecisionRow> newest) {
    this(state, LastEvent.mark(state), isOver, List.copyOf(newest));
  }

  /// Number of the newest decision; 0 before the first.
  long last() {
    return newest.isEmpty() ? 0 : newest.getLast().number();
  }

  /// Whether it has all decisions after this one.
  boolean hasAllAfter(long number) {
    return newest.isEmpty() || newest.getFirst().number() <= number + 1;
  }
}
