package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.decision.RolloutSnapshot;
import java.time.Instant;
import java.util.Optional;

/// Where a rollout is: its row and the counts of its devices, read in one transaction. The workflow decides from it.
///
/// @param version rises with each result, each wave and each change of rules or control
/// @param waitReason what the row says that the rollout waits for; empty if for nothing
/// @param message why it is where it is
/// @param startAt when the first wave begins; empty once it has begun, and if nothing delays it
/// @param outcome empty until it has ended
/// @param idle why no device can be worked on for a while, although there is work left; only in the result of a
///   [RolloutSteps] activity
public record RolloutStatus(
    long version,
    RolloutState state,
    Optional<WaitReason> waitReason,
    String message,
    Optional<Instant> startAt,
    RolloutSnapshot snapshot,
    Optional<RolloutOutcome> outcome,
    Optional<Wait> idle) {

  public RolloutStatus withIdle(Optional<Wait> wait) {
    return new RolloutStatus(version, state, waitReason, message, startAt, snapshot, outcome, wait);
  }

  /// Returns whether the row says so already.
  boolean records(Wait wait) {
    return state == RolloutState.after(wait) && waitReason.equals(Optional.of(wait.reason()));
  }

  /// The earliest time at which another decision follows without any event.
  Optional<Instant> nextChange(Decision decision) {
    Optional<Instant> own = decision instanceof Wait wait ? wait.until() : Optional.empty();
    Optional<Instant> others = snapshot.recheckAt();
    return own.map(time -> others.filter(time::isAfter).orElse(time)).or(() -> others);
  }
}
