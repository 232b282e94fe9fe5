package dev.uplift.store.rollout;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPrecedence;
import dev.uplift.fleet.rollout.RolloutState;
import java.time.Instant;
import java.util.Optional;

/// A rollout as it stands.
///
/// @param plan JSON; once it is frozen it never changes
/// @param rules JSON, the part of the plan that may change while it runs
/// @param control JSON, what persons and the policy have said
/// @param waveCount so many there are; 0 until it is frozen
/// @param currentWave its number; 0 before the first begins
/// @param baselineResultNumber verdicts with a higher number are judged
/// @param lastResultNumber the number that was given last
/// @param startAt when it is to start by itself
/// @param startedAt when its first wave began
/// @param waiting what it waits for, if that is all it does
/// @param revision rises with each change of plan, rules or control; from 1
public record RolloutRow(
    RolloutId id,
    String title,
    Release release,
    String plan,
    String rules,
    String control,
    RolloutState state,
    int priority,
    int waveCount,
    int currentWave,
    long baselineResultNumber,
    long lastResultNumber,
    String createdBy,
    Instant createdAt,
    Optional<Instant> startAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    Optional<RolloutOutcome> outcome,
    Optional<RolloutWait> waiting,
    long revision) {

  public boolean isFrozen() {
    return waveCount > 0;
  }

  /// Which rollout gets a device that both want.
  public RolloutPrecedence rank() {
    return new RolloutPrecedence(priority, createdAt, id.name());
  }
}
