package dev.uplift.api.security;

import java.time.Duration;
import java.util.Optional;

/// What a token has to be, beside signed.
///
/// @param maxLifetime the longest time from when it was issued (`iat`) to its expiry
/// @param audience that `aud` has to name; empty if it does not matter
public record TokenRules(Duration maxLifetime, Optional<String> audience) {}
