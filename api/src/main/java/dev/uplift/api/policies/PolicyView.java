package dev.uplift.api.policies;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.policy.PolicyRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// A policy as clients see it.
///
/// @param enabledAt when it was enabled last; absent: never
/// @param version rises with every change; also the ETag
/// @param policy what it asks for, defaults included
@Serdeable
record PolicyView(
    String name,
    String title,
    String description,
    @JsonProperty("package") String packageName,
    boolean enabled,
    Optional<Instant> enabledAt,
    int priority,
    long version,
    String createdBy,
    Instant createdAt,
    String changedBy,
    Instant changedAt,
    @Schema(implementation = PolicyRequest.class) Map<String, Object> policy) {
  static PolicyView of(PolicyRow row) {
    return new PolicyView(
        row.name(),
        row.title(),
        row.description(),
        row.packageName(),
        row.enabled(),
        row.enabledAt(),
        row.priority(),
        row.version(),
        row.createdBy(),
        row.createdAt(),
        row.changedBy(),
        row.changedAt(),
        PolicyRequest.of(row).toMap());
  }
}
