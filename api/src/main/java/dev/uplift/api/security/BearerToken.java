package dev.uplift.api.security;

import java.time.Instant;

/// A valid bearer token.
///
/// @param id its claim `jti`; empty if it has none, and then it can be revoked with all of its subject only
/// @param tenant that it is for; [Caller#ALL_TENANTS] for all
/// @param issuedAt to the second
/// @param expiresAt leeway included
record BearerToken(String id, String subject, String tenant, Instant issuedAt, Instant expiresAt) {}
