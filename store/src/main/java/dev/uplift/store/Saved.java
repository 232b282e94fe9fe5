package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import java.util.Map;
import java.util.Optional;

/// What came of a change to a device. Only after the first three does the device look as wished;
/// after the others nothing has changed.
public sealed interface Saved {
  record Created(DeviceRow device) implements Saved {}

  record Changed(DeviceRow device) implements Saved {}

  /// It was so before; its version stays.
  record Unchanged(DeviceRow device) implements Saved {}

  /// Not what was [Expected].
  ///
  /// @param found as it stands; empty if it does not exist
  record Stale(Optional<DeviceRow> found) implements Saved {}

  /// Hosts that are on other devices.
  record HostsTaken(Map<HostId, DeviceId> by) implements Saved {}

  /// A host would leave the device while an upgrade of it runs.
  record Busy(String upgrade) implements Saved {}

  /// There is no such device; never said of a put.
  record NotThere() implements Saved {}
}
