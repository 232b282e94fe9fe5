package dev.uplift.api.tenants.events;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.event.TenantEventRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/// Something that happened in a tenant. What does not apply is absent.
///
/// @param number rises by one with each event
/// @param result the outcome of what ended, or the state of what waits
/// @param wave of the rollout that has begun
/// @param message for people
/// @param actor who did it
/// @param until when it ends by itself
@Serdeable
record TenantEventView(
    long number,
    String kind,
    Instant occurredAt,
    Optional<String> rollout,
    Optional<String> upgrade,
    Optional<String> device,
    @JsonProperty("package") Optional<String> packageName,
    Optional<String> version,
    Optional<String> result,
    Optional<Integer> wave,
    Optional<String> message,
    Optional<String> actor,
    Optional<Instant> until,
    Optional<String> barrier) {
  static TenantEventView of(TenantEventRow row) {
    return new TenantEventView(
        row.number(),
        row.kind(),
        row.occurredAt(),
        row.rollout(),
        row.upgrade(),
        row.device(),
        row.packageName(),
        row.version(),
        row.result(),
        Optional.of(row.wave()).filter(wave -> wave > 0),
        row.message(),
        row.actor(),
        row.untilAt(),
        row.barrier());
  }
}
