package dev.uplift.store;

import java.time.Instant;

/// A key with which nobody logs in any more.
///
/// @param expires when the last ticket ends that was made out to it
public record Revoked(String key, Instant expires) {}
