package dev.uplift.store.rollout;

import java.time.Instant;

/// A decision in the log of a rollout.
///
/// @param number from 1, in the order in which they were made
public record DecisionRow(long number, Instant decidedAt, NewDecision decision) {}
