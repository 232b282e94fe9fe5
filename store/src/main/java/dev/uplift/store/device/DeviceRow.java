package dev.uplift.store.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A device as it stands.
///
/// @param hold the newest one, which may be over: [#activeHold]
/// @param version rises with every change, hold included; from 1
public record DeviceRow(
    DeviceSpec spec, Optional<Hold> hold, long version, Instant createdAt, Instant changedAt) {

  public DeviceId id() {
    return spec.id();
  }

  public List<HostId> hosts() {
    return spec.hosts();
  }

  /// The hold that is in force at `time`.
  public Optional<Hold> activeHold(Instant time) {
    return hold.filter(held -> held.isActiveAt(time));
  }
}
