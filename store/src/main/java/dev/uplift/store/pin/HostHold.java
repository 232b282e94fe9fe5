package dev.uplift.store.pin;

import dev.uplift.store.StoredText;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// A package that the owner of a host holds there.
///
/// @param heldBy the user on the host who held it
/// @param until empty: until it is ended on the host
@MappedEntity("host_hold")
public record HostHold(
    @Id @MappedProperty("package") String packageName,
    @MappedProperty(converter = TextColumn.class) String reason,
    @MappedProperty(converter = TextColumn.class) String heldBy,
    Instant since,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> until) {
  HostHold asStored() {
    return new HostHold(
        packageName,
        StoredText.sanitize(reason),
        StoredText.sanitize(heldBy),
        since.truncatedTo(ChronoUnit.MILLIS),
        until.map(time -> time.truncatedTo(ChronoUnit.MILLIS)));
  }
}
