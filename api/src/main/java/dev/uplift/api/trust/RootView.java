package dev.uplift.api.trust;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A root as clients see it.
///
/// @param roles the keys of each role: `root`, `release`, `command`
/// @param commandKey id of the key that this server signs with under it; absent if it has none of those that it names,
///   so that hosts would reject its commands
/// @param root the exact text that is signed
/// @param signature of that text
@Serdeable
record RootView(
    String tenant,
    long version,
    Instant expiresAt,
    Map<String, RoleKeysView> roles,
    Optional<String> commandKey,
    Instant recordedAt,
    String root,
    String signature) {

  /// The keys of a role.
  ///
  /// @param threshold how many of `keys` have to sign
  /// @param keys their ids
  @Serdeable
  record RoleKeysView(int threshold, List<String> keys) {}
}
