package dev.uplift.api.tokens;

import dev.uplift.store.token.ApiTokenRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;

/// A token of a script; shown this once only.
///
/// @param id by which it is revoked
/// @param token for the header `Authorization: Bearer`; absent if the request was only validated
@Serdeable
record CreatedApiTokenView(
    String id,
    String name,
    @Schema(implementation = TokenRole.class) String role,
    Instant expiresAt,
    Optional<String> token) {
  static CreatedApiTokenView of(ApiTokenRow row, Optional<String> token) {
    return new CreatedApiTokenView(row.id(), row.name(), row.role(), row.expiresAt(), token);
  }

  /// Hides the token.
  @Override
  public String toString() {
    return "token " + id;
  }
}
