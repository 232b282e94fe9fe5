package dev.uplift.store.enrolment;

import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A row of `enrolment_token`.
@Introspected
record TokenEntity(String host, Instant expiresAt, @Nullable String usedByKey) {}
