package dev.uplift.workflows.device;

import java.time.Instant;
import java.util.Optional;

/// The word of a rollout that a device which has prepared may go on.
///
/// @param openUntil when the window closes that is open, and that has room for all of it; empty if
///   it does not close
public record ProceedSignal(Optional<Instant> openUntil) {}
