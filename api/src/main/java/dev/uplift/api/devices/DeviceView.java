package dev.uplift.api.devices;

import dev.uplift.api.windows.WindowView;
import dev.uplift.fleet.HostId;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.Hold;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A device as clients see it.
///
/// @param hosts in the order in which they are upgraded
/// @param windows of the device itself; those of its labels apply too
/// @param hold that is in force; absent where none is
/// @param version rises with every change; also the ETag
@Serdeable
record DeviceView(
    String device,
    List<String> hosts,
    Map<String, String> labels,
    String zone,
    List<WindowView> windows,
    Optional<HoldView> hold,
    long version,
    Instant createdAt,
    Instant changedAt) {

  /// Why nothing is upgraded there.
  ///
  /// @param until absent if an operator has to end it
  @Serdeable
  record HoldView(String reason, String actor, Instant since, Optional<Instant> until) {
    static HoldView of(Hold hold) {
      return new HoldView(hold.reason(), hold.by(), hold.since(), hold.until());
    }
  }

  static DeviceView of(DeviceRow row, Instant now) {
    return new DeviceView(
        row.id().name(),
        row.hosts().stream().map(HostId::value).toList(),
        row.spec().labels(),
        row.spec().zone().getId(),
        WindowView.all(WindowJson.read(row.spec().windows())),
        row.activeHold(now).map(HoldView::of),
        row.version(),
        row.createdAt(),
        row.changedAt());
  }
}
