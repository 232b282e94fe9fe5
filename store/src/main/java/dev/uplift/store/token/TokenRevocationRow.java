package dev.uplift.store.token;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;

/// Bearer tokens that count no more: one by its id, or those of a subject.
///
/// @param number rises within the database
/// @param tenant of the tokens; `*` for those of every tenant
/// @param tokenId the claim `jti` of the token; empty if it is about a subject
/// @param subject the claim `sub` of the tokens; empty if it is about one token
/// @param issuedBefore tokens of the subject that were issued later (`iat`) are valid
/// @param reason for people; may be empty
@MappedEntity("token_revocation")
public record TokenRevocationRow(
    @Id long number,
    String tenant,
    String tokenId,
    String subject,
    Instant issuedBefore,
    String reason,
    String revokedBy,
    Instant revokedAt) {}
