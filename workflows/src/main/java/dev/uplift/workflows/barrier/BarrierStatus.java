package dev.uplift.workflows.barrier;

import dev.uplift.fleet.barrier.BarrierCounts;
import dev.uplift.fleet.barrier.BarrierDecision;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.fleet.barrier.WhenNotHalted;
import java.util.List;
import java.util.Optional;

/// Where a barrier is, as its rows say.
///
/// @param isDeadlinePast whether its hosts had to have halted by now
/// @param missing the first of the hosts that have not halted, with the reason
/// @param outcome how it will have ended, once its hosts are told to resume
/// @param message for people; may be empty
public record BarrierStatus(
    BarrierState state,
    BarrierCounts counts,
    boolean isDeadlinePast,
    WhenNotHalted whenNotHalted,
    Optional<String> continuedBy,
    Optional<String> abortedBy,
    List<String> missing,
    Optional<BarrierOutcome> outcome,
    String message) {
  public BarrierStatus {
    missing = List.copyOf(missing);
  }

  /// Returns whether it was read before another one. What a row says of these is never taken back.
  boolean isOlderThan(BarrierStatus other) {
    return state.compareTo(other.state) < 0
        || (continuedBy.isEmpty() && other.continuedBy.isPresent())
        || (abortedBy.isEmpty() && other.abortedBy.isPresent());
  }

  public BarrierDecision decision() {
    return BarrierDecision.of(counts, isDeadlinePast, whenNotHalted, abortedBy);
  }
}
