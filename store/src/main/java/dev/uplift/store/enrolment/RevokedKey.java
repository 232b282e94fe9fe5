package dev.uplift.store.enrolment;

import java.time.Instant;

/// A key that no host may log in with any more.
///
/// @param jwtExpiresAt end of the last user JWT issued for it
public record RevokedKey(String key, Instant jwtExpiresAt) {}
