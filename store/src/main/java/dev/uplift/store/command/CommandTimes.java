package dev.uplift.store.command;

import java.time.Instant;
import java.util.Optional;

/// When what became of a command, by the server's clock.
///
/// @param published first; empty if it never was
/// @param publishCount how often it was published
/// @param accepted the agent had it and looked at it
/// @param closed it had its outcome, or was withdrawn
public record CommandTimes(
    Instant created,
    Optional<Instant> published,
    int publishCount,
    Optional<Instant> accepted,
    Optional<Instant> closed) {}
