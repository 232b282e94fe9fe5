package dev.uplift.store;

import dev.uplift.fleet.rollout.Waiting;
import java.time.Instant;
import java.util.Optional;

/// What a rollout waits for.
///
/// @param until when that comes by itself, if it does
public record RolloutWait(Waiting what, String sentence, Instant since, Optional<Instant> until) {}
