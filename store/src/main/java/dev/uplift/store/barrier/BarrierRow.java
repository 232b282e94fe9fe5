package dev.uplift.store.barrier;

import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;

/// A barrier as it is now.
///
/// @param spec JSON: what it asks for
/// @param deadlineAt by when its hosts have to have halted
/// @param untilAt when every halted host resumes by itself
/// @param haltedAt since when the migration may begin
/// @param continuedBy who has said that the migration is done
/// @param message how it ended, for people
/// @param rollout that followed it
@MappedEntity("barrier")
public record BarrierRow(
    @Id String tenant,
    @Id String name,
    @MappedProperty("package") String packageName,
    String spec,
    @MappedProperty(converter = TextColumn.class) BarrierState state,
    String createdBy,
    Instant createdAt,
    Instant deadlineAt,
    Instant untilAt,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> haltedAt,
    @MappedProperty(converter = TextColumn.class) Optional<String> continuedBy,
    @MappedProperty(converter = TextColumn.class) Optional<String> abortedBy,
    @MappedProperty(converter = TextColumn.class) Optional<String> abortReason,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> endedAt,
    @MappedProperty(converter = TextColumn.class) Optional<BarrierOutcome> outcome,
    @MappedProperty(converter = TextColumn.class) Optional<String> message,
    @MappedProperty(converter = TextColumn.class) Optional<String> rollout) {
  public BarrierId id() {
    return new BarrierId(tenant, name);
  }
}
