package dev.uplift.api.tokens;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import io.micronaut.core.annotation.Introspected;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The bearer tokens to revoke: either one, or those of a subject.
///
/// @param tokenId the claim `jti` of the token
/// @param subject the claim `sub` of the tokens
/// @param issuedBefore tokens of the subject that were issued (`iat`) later stay valid; absent: now
/// @param reason kept in the audit
@Introspected
record RevokeTokensRequest(
    @Nullable @NotBlank @Size(max = 200) String tokenId,
    @Nullable @NotBlank @Size(max = 200) String subject,
    @Nullable Instant issuedBefore,
    @Nullable @Size(max = 500) @Schema(maxLength = 500) String reason)
    implements RequestBody {
  @Override
  public void check(BodyErrors errors, Instant now) {
    if ((tokenId == null) == (subject == null)) {
      errors.add("", "expected either token_id or subject");
    }
    if (issuedBefore != null && tokenId != null) {
      errors.add("/issued_before", "expected only with subject");
    }
    if (issuedBefore != null && issuedBefore.isAfter(now)) {
      errors.add("/issued_before", "expected a time that is not in the future");
    }
  }
}
