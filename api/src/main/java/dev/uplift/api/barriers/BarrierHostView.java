package dev.uplift.api.barriers;

import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.store.barrier.BarrierHostRow;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Optional;

/// A host of a barrier.
///
/// @param since when it came to this state
/// @param detail what it has answered, or why it has not; absent if there is nothing to say
@Serdeable
record BarrierHostView(
    String host,
    String device,
    @Schema(implementation = BarrierHostState.class) String state,
    Instant since,
    Optional<String> detail) {
  static BarrierHostView of(BarrierHostRow row) {
    return new BarrierHostView(
        row.host().value(),
        row.device(),
        ValueReaders.enumWord(row.state()),
        row.since(),
        Optional.of(row.detail()).filter(text -> !text.isEmpty()));
  }
}
