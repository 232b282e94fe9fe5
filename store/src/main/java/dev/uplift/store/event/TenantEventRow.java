package dev.uplift.store.event;

import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;

/// Something that happened in a tenant. What does not apply to its kind is empty.
///
/// @param number rises by one with each event of the tenant
/// @param kind word of a [TenantEventKind]
/// @param result the outcome of what ended, or the state of what waits
/// @param wave of a rollout that is started; 0: none
/// @param message for people
/// @param actor who did it
/// @param untilAt when it ends by itself
/// @param barrier what it is about, if that is a barrier
/// @param webhook the only one that it is sent to; empty: all of them
@MappedEntity("tenant_event")
public record TenantEventRow(
    String tenant,
    @Id long number,
    Instant occurredAt,
    String kind,
    @MappedProperty(converter = TextColumn.class) Optional<String> rollout,
    @MappedProperty(converter = TextColumn.class) Optional<String> upgrade,
    @MappedProperty(converter = TextColumn.class) Optional<String> device,
    @MappedProperty(value = "package", converter = TextColumn.class) Optional<String> packageName,
    @MappedProperty(converter = TextColumn.class) Optional<String> version,
    @MappedProperty(converter = TextColumn.class) Optional<String> result,
    int wave,
    @MappedProperty(converter = TextColumn.class) Optional<String> message,
    @MappedProperty(converter = TextColumn.class) Optional<String> actor,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> untilAt,
    @MappedProperty(converter = TextColumn.class) Optional<String> barrier,
    @MappedProperty(converter = TextColumn.class) Optional<String> webhook) {}
