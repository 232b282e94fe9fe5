package dev.uplift.store.pin;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.pin.Pin;
import dev.uplift.fleet.pin.PinOrigin;
import dev.uplift.store.TextColumn;
import dev.uplift.store.TimeColumn;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import java.time.Instant;
import java.util.Optional;

/// A pin of an operator, or what the owner of a host of the device holds there.
///
/// @param version the only one that may be installed; empty: a hold, so none may
/// @param host the one whose owner holds the package; empty for a pin of an operator
/// @param until when it ends by itself, which may be over; the row stays until it is removed
/// @param revision rises with every change; from 1. 0 for what an owner holds
@MappedEntity("pin")
public record PinRow(
    @Id String tenant,
    @Id String device,
    @Id @MappedProperty("package") String packageName,
    @MappedProperty(converter = TextColumn.class) Optional<String> version,
    @MappedProperty(converter = TextColumn.class) String reason,
    @MappedProperty(converter = TextColumn.class) String setBy,
    @MappedProperty(converter = TextColumn.class) PinOrigin origin,
    String host,
    Instant since,
    @MappedProperty(converter = TimeColumn.class) Optional<Instant> until,
    long revision) {
  public DeviceId deviceId() {
    return new DeviceId(tenant, device);
  }

  public Pin pin() {
    return new Pin(
        packageName,
        version,
        reason,
        setBy,
        origin,
        Optional.of(host).filter(name -> !name.isEmpty()).map(HostId::new),
        since,
        until);
  }
}
