package dev.uplift.api.tokens;

import dev.uplift.store.token.ApiTokenRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;

/// A token of a script.
///
/// @param id by which it is revoked
/// @param name of the script
/// @param createdBy the person for whom it acts
/// @param lastUsedAt to about ten minutes; absent if it was never used
/// @param revoked whether it was revoked before it expired
@Serdeable
record ApiTokenView(
    String id,
    String name,
    @Schema(implementation = TokenRole.class) String role,
    String createdBy,
    Instant createdAt,
    Instant expiresAt,
    Optional<Instant> lastUsedAt,
    boolean revoked) {
  static ApiTokenView of(ApiTokenRow row, boolean revoked) {
    return new ApiTokenView(
        row.id(),
        row.name(),
        row.role(),
        row.createdBy(),
        row.createdAt(),
        row.expiresAt(),
        Optional.ofNullable(row.lastUsedAt()),
        revoked);
  }
}
