package dev.uplift.store.barrier;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.store.TextColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;

/// A host of a barrier.
///
/// @param since when it came to this state
/// @param detail what it has answered, or why it has not; may be empty
/// @param haltGeneration of its newest `halt`; 0: none was created
/// @param resumeGeneration of its newest `resume`; 0: none was created
@MappedEntity("barrier_host")
public record BarrierHostRow(
    @Id String tenant,
    @Id String barrier,
    @Id @MappedProperty(converter = TextColumn.class) HostId host,
    String device,
    @MappedProperty(converter = TextColumn.class) BarrierHostState state,
    Instant since,
    @MappedProperty(converter = TextColumn.class) String detail,
    int haltGeneration,
    int resumeGeneration) {}
