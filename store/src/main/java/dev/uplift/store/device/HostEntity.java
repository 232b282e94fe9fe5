package dev.uplift.store.device;

import static java.util.Objects.requireNonNull;

import dev.uplift.fleet.HostId;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.LineCodec;
import dev.uplift.store.enrolment.EnrolmentStatus;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A row of `host` with its newest heartbeat and its enrolment.
@MappedEntity("host")
record HostEntity(
    String tenant,
    @Id String name,
    @Nullable String device,
    @Nullable String info,
    @Nullable String agentVersion,
    @Nullable String architecture,
    @Nullable String drivers,
    @Nullable String bootId,
    @Nullable String instance,
    @Nullable String state,
    @Nullable String infoVersions,
    @Nullable Instant infoReceivedAt,
    String versions,
    @Nullable String heartbeatInstance,
    @Nullable String heartbeatBootId,
    @Nullable String heartbeatState,
    @Nullable String heartbeatVersions,
    @Nullable Instant heartbeatReceivedAt,
    String enrolment) {

  HostRow toRow() {
    return new HostRow(
        tenant,
        new HostId(name),
        Optional.ofNullable(device),
        Optional.ofNullable(infoReceivedAt).map(this::hostInfo),
        Optional.ofNullable(heartbeatReceivedAt).map(this::heartbeat),
        LineCodec.decodeMap(versions),
        EnumCodec.decode(EnrolmentStatus.class, enrolment));
  }

  private HostInfo hostInfo(Instant receivedAt) {
    return new HostInfo(
        requireNonNull(info),
        requireNonNull(agentVersion),
        requireNonNull(architecture),
        LineCodec.decodeList(requireNonNull(drivers)),
        requireNonNull(bootId),
        requireNonNull(instance),
        requireNonNull(state),
        LineCodec.decodeMap(requireNonNull(infoVersions)),
        receivedAt);
  }

  private HeartbeatRow heartbeat(Instant receivedAt) {
    return new HeartbeatRow(
        tenant,
        new HostId(name),
        requireNonNull(heartbeatInstance),
        requireNonNull(heartbeatBootId),
        requireNonNull(heartbeatState),
        LineCodec.decodeMap(requireNonNull(heartbeatVersions)),
        receivedAt);
  }
}
