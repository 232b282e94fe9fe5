package dev.uplift.store.rollout;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import java.time.Instant;
import java.util.Optional;

/// A rollout to insert.
///
/// @param plan JSON, all of it as it was accepted
/// @param rules JSON, the part of the plan that may change while it runs
/// @param control JSON, of a rollout without any action of an operator
/// @param state a draft, planned, or running
/// @param startAt when it is to start by itself
/// @param priority the higher one gets a device first
public record NewRollout(
    RolloutId id,
    String title,
    Release release,
    String plan,
    String rules,
    String control,
    RolloutState state,
    String createdBy,
    Optional<Instant> startAt,
    int priority) {}
