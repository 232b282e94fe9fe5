package dev.uplift.workflows.barrier;

import dev.uplift.fleet.barrier.BarrierOutcome;

/// How a barrier ended.
///
/// @param message for people
public record BarrierResult(BarrierOutcome outcome, String message) {}
