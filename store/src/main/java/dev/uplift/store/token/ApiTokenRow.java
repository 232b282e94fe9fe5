package dev.uplift.store.token;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A token that the server made for a script.
///
/// @param number rises within the database
/// @param id its name in lists and revocations
/// @param name of the script, for people
/// @param role its highest role
/// @param hash of the token, which is not stored
/// @param createdBy the person for whom it acts
/// @param lastUsedAt to ten minutes; null if it was never used
@MappedEntity("api_token")
public record ApiTokenRow(
    @Id long number,
    String tenant,
    String id,
    String name,
    String role,
    String hash,
    String createdBy,
    Instant createdAt,
    Instant expiresAt,
    @Nullable Instant lastUsedAt) {}
