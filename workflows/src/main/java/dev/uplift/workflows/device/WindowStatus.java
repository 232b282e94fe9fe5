package dev.uplift.workflows.device;

import java.time.Instant;
import java.util.Optional;

/// What the windows of a device were found to say.
///
/// @param open whether it may be touched, with enough time left
/// @param opens when it may be next, if it may not; empty if it may not before the deadline
/// @param closes when it may no longer, if it may; empty if that does not change
/// @param message what is waited for, for people, in local time and in UTC
public record WindowStatus(
    boolean open, Optional<Instant> opens, Optional<Instant> closes, String message) {}
