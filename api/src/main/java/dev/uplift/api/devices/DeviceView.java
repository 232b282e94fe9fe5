package dev.uplift.api.devices;

import dev.uplift.api.pins.PinView;
import dev.uplift.api.windows.WindowView;
import dev.uplift.fleet.HostId;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.Hold;
import dev.uplift.store.pin.PinRow;
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
/// @param pins that are in force, by package; those that operators set, and what the owners of its hosts hold there
/// @param version rises with every change; also the ETag
@Serdeable
record DeviceView(
    String device,
    List<String> hosts,
    Map<String, String> labels,
    String zone,
    List<WindowView> windows,
    Optional<HoldView> hold,
    List<PinView> pins,
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

  static DeviceView of(DeviceRow row, List<PinRow> pins, Instant now) {
    return new DeviceView(
        row.id().name(),
        row.hosts().stream().map(HostId::value).toList(),
        row.spec().labels(),
        row.spec().zone().getId(),
        WindowView.all(WindowJson.read(row.spec().windows())),
        row.activeHold(now).map(HoldView::of),
        pins.stream().filter(pin -> pin.pin().isActiveAt(now)).map(PinView::of).toList(),
        row.version(),
        row.createdAt(),
        row.changedAt());
  }
}
