package dev.uplift.store.device;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A device as it is now.
///
/// @param version rises with every change, hold included; from 1
@MappedEntity("device")
public record DeviceRow(
    @Id String tenant,
    @Id String name,
    @MappedProperty(converter = TextColumn.class) List<HostId> hosts,
    @MappedProperty(converter = TextColumn.class) Map<String, String> labels,
    @MappedProperty(converter = TextColumn.class) ZoneId zone,
    @MappedProperty(converter = TextColumn.class) String windows,
    @MappedProperty(converter = TextColumn.class) Optional<String> holdReason,
    @MappedProperty(converter = TextColumn.class) Optional<String> holdBy,
    @Nullable Instant holdSince,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> holdUntil,
    long version,
    Instant createdAt,
    Instant changedAt) {
  static DeviceRow of(DeviceSpec spec, Optional<Hold> hold, long version, Instant createdAt, Instant changedAt) {
    return new DeviceRow(
        spec.id().tenant(),
        spec.id().name(),
        spec.hosts(),
        spec.labels(),
        spec.zone(),
        spec.windows(),
        hold.map(Hold::reason),
        hold.map(Hold::by),
        hold.map(Hold::since).orElse(null),
        hold.flatMap(Hold::until),
        version,
        createdAt,
        changedAt);
  }

  public DeviceId id() {
    return new DeviceId(tenant, name);
  }

  public DeviceSpec spec() {
    return new DeviceSpec(id(), hosts, labels, zone, windows);
  }

  /// The newest hold, which may be over: [#activeHold].
  public Optional<Hold> hold() {
    return holdReason.map(reason -> new Hold(reason, holdBy.orElseThrow(), requireNonNull(holdSince), holdUntil));
  }

  /// Returns the hold that is in force at `time`.
  public Optional<Hold> activeHold(Instant time) {
    return hold().filter(held -> held.isActiveAt(time));
  }
}
