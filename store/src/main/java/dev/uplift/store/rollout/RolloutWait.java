package dev.uplift.store.rollout;

import dev.uplift.fleet.rollout.WaitReason;
import java.time.Instant;
import java.util.Optional;

/// The reason why a rollout waits.
///
/// @param until when that comes by itself, if it does
public record RolloutWait(WaitReason reason, String message, Instant since, Optional<Instant> until) {}
