package dev.uplift.workflows.barrier;

import dev.uplift.fleet.barrier.BarrierOutcome;

/// The result of a barrier.
///
/// @param message for people
public record BarrierResult(BarrierOutcome outcome, String message) {}
