package dev.uplift.store.enrolment;

import io.micronaut.core.annotation.Introspected;

/// A list of revoked keys that was published to NATS.
///
/// @param issuedAtSecond the second that it carries; a newer list carries a later one
/// @param digest of what was published
@Introspected
public record RevocationList(long issuedAtSecond, String digest) {}
