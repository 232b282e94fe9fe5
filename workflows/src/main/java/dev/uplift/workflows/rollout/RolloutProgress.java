package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import java.time.Instant;
import java.util.Optional;

/// What a tick found at its end, and what it decided.
///
/// @param wave the current one, from 1; 0 before the first one
/// @param waves how many there are
/// @param outcome how the rollout has ended; empty while it goes on
/// @param decision the fixed word of the last decision
/// @param message the same for people, with what it was decided from
/// @param recheckAt when the next tick has something to do at the latest; empty: when somebody says
///   so
/// @param pending how many devices have not begun
/// @param inProgress how many are being upgraded or taken back
/// @param succeeded how many run the release
/// @param failed how many were tried and do not
public record RolloutProgress(
    RolloutState state,
    int wave,
    int waves,
    Optional<RolloutOutcome> outcome,
    String decision,
    String message,
    Optional<Instant> recheckAt,
    long pending,
    long inProgress,
    long succeeded,
    long failed) {}
