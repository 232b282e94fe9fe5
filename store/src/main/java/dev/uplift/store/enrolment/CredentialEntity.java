package dev.uplift.store.enrolment;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A row of `host_credential`.
@MappedEntity("host_credential")
record CredentialEntity(
    String tenant,
    @Id String nkey,
    String host,
    Instant createdAt,
    Instant jwtExpiresAt,
    @Nullable Instant cleanedAt,
    boolean rotationRequested,
    @Nullable Instant revokedAt) {}
