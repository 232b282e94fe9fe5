package dev.uplift.api.trust;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A root as clients see it.
///
/// @param roles who has which; `root`, `release`, `command`
/// @param commandKey id of the key that this server would sign with under it; absent where it has
///   none of those that are named, so that no host would believe it
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

  /// Who has a role.
  ///
  /// @param threshold so many of `keys` have to agree
  @Serdeable
  record RoleKeysView(int threshold, List<String> keys) {}
}
