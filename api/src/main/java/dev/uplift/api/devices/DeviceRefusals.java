package dev.uplift.api.devices;

import dev.uplift.api.problem.Fault;
import dev.uplift.api.problem.Refusal;
import dev.uplift.fleet.DeviceId;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Saved;
import java.util.List;
import java.util.Optional;

/// Why a device is not as somebody wished.
final class DeviceRefusals {
  private DeviceRefusals() {}

  static Refusal missing(DeviceId id) {
    return Refusal.notFound("there is no device %s in %s".formatted(id.name(), id.tenant()));
  }

  static Refusal stale(Optional<DeviceRow> found) {
    return Refusal.stale(
        found
            .map(row -> "the device is at version %d; read it again".formatted(row.version()))
            .orElse("the device does not exist"));
  }

  /// An upgrade of it runs.
  ///
  /// @param not what is not done
  static Refusal busy(String not, String upgrade) {
    return Refusal.conflict(
        "%s while its upgrade %s runs; await its end or abort it".formatted(not, upgrade));
  }

  static Refusal hostsTaken(Saved.HostsTaken taken) {
    List<Fault> faults =
        taken.by().entrySet().stream()
            .map(host ->
                Fault.at(
                    "/hosts",
                    "%s is on the device %s".formatted(host.getKey(), host.getValue().name())))
            .toList();
    return Refusal.conflict(faults);
  }
}
