package dev.uplift.store.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.store.LineCodec;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A row of `device`.
@MappedEntity("device")
record DeviceEntity(
    String tenant,
    @Id String name,
    String hosts,
    String labels,
    String zone,
    String windows,
    @Nullable String holdReason,
    @Nullable String holdBy,
    @Nullable Instant holdSince,
    @Nullable Instant holdUntil,
    long version,
    Instant createdAt,
    Instant changedAt) {

  DeviceRow toRow() {
    var spec =
        new DeviceSpec(
            new DeviceId(tenant, name),
            LineCodec.decodeList(hosts).stream().map(HostId::new).toList(),
            LineCodec.decodeMap(labels),
            ZoneId.of(zone),
            windows);
    Optional<Hold> hold =
        holdReason == null || holdBy == null || holdSince == null
            ? Optional.empty()
            : Optional.of(new Hold(holdReason, holdBy, holdSince, Optional.ofNullable(holdUntil)));
    return new DeviceRow(spec, hold, version, createdAt, changedAt);
  }
}
