package dev.uplift.store.upgrade;

import java.time.Instant;
import java.util.Optional;

/// What an upgrade waits for: a person, or a host that is off.
///
/// @param reason its word
/// @param message for people
/// @param until when the wait ends by itself; empty: never
public record UpgradeWait(String reason, String message, Instant since, Optional<Instant> until) {}
