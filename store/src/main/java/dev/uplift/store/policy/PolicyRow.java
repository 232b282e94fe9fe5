package dev.uplift.store.policy;

import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;

/// A policy as it is now.
///
/// @param enabledAt when it was enabled last; empty if never
/// @param spec JSON: what it asks for, of which devices, and with which rollouts
/// @param version rises with every change by a person; from 1
@MappedEntity("policy")
public record PolicyRow(
    @Id String tenant,
    @Id String name,
    String title,
    String description,
    @MappedProperty("package") String packageName,
    boolean enabled,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> enabledAt,
    int priority,
    String spec,
    long version,
    String createdBy,
    Instant createdAt,
    String changedBy,
    Instant changedAt) {
  public PolicyId id() {
    return new PolicyId(tenant, name);
  }
}
