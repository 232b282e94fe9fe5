package dev.uplift.api.tokens;

import dev.uplift.store.token.TokenRevocationRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;

/// Bearer tokens that are not valid any more: one, or those of a subject.
///
/// @param tenant of the tokens; `*` for those of every tenant
/// @param tokenId the claim `jti` of the token; empty if it is about a subject
/// @param subject the claim `sub` of the tokens; empty if it is about one token
/// @param issuedBefore tokens of the subject that were issued (`iat`) later are valid
/// @param reason may be empty
@Serdeable
record TokenRevocationView(
    @Schema(pattern = "^(\\*|[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)$") String tenant,
    String tokenId,
    String subject,
    Instant issuedBefore,
    String reason,
    String revokedBy,
    Instant revokedAt) {
  static TokenRevocationView of(TokenRevocationRow row) {
    return new TokenRevocationView(
        row.tenant(), row.tokenId(), row.subject(), row.issuedBefore(), row.reason(), row.revokedBy(), row.revokedAt());
  }
}
