package dev.uplift.store;

import java.time.Instant;
import java.util.Optional;

/// When what became of a command, by the server's clock.
///
/// @param published first; empty if it never was
/// @param sends how often it was published
/// @param accepted the agent had it and looked at it
/// @param settled it had its outcome, or was withdrawn
public record CommandTimes(
    Instant minted,
    Optional<Instant> published,
    int sends,
    Optional<Instant> accepted,
    Optional<Instant> settled) {}
