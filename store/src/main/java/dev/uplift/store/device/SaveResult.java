package dev.uplift.store.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import java.util.Map;
import java.util.Optional;

/// The result of changing a device. Only after the first three does the device have the new state; after the others
/// nothing has changed.
public sealed interface SaveResult {
  record Created(DeviceRow device) implements SaveResult {}

  record Updated(DeviceRow device) implements SaveResult {}

  /// It was so before; its version stays.
  record Unchanged(DeviceRow device) implements SaveResult {}

  /// Not what was [Precondition].
  ///
  /// @param found as it stands; empty if it does not exist
  record PreconditionFailed(Optional<DeviceRow> found) implements SaveResult {}

  /// Hosts that are on other devices.
  record HostsTaken(Map<HostId, DeviceId> owners) implements SaveResult {}

  /// A host would leave the device while an upgrade of it runs.
  record Busy(String runningUpgrade) implements SaveResult {}

  /// There is no such device; never said of a put.
  record NotFound() implements SaveResult {}
}
