package dev.uplift.store.enrolment;

import java.time.Instant;

/// A key with which nobody logs in any more.
///
/// @param jwtExpiresAt when the last ticket ends that was made out to it
public record RevokedKey(String key, Instant jwtExpiresAt) {}
