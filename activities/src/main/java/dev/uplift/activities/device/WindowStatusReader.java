package dev.uplift.activities.device;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.window.PlannedStart;
import dev.uplift.fleet.window.StartRequirements;
import dev.uplift.fleet.window.WindowOpening;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.services.window.TenantWindows;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.LabelWindowRepository;
import dev.uplift.workflows.device.DeviceRecords.WindowStatus;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Reads the windows of a device for a workflow: as instants, because zones and their rules change and histories must
/// not.
@Singleton
final class WindowStatusReader {
  private final DeviceRepository devices;
  private final LabelWindowRepository labels;

  WindowStatusReader(DeviceRepository devices, LabelWindowRepository labels) {
    this.devices = devices;
    this.labels = labels;
  }

  /// As [dev.uplift.workflows.device.DeviceRecords#checkWindow].
  WindowStatus read(DeviceId device, String additional, Duration need, Instant before, Instant now) {
    return devices
        .find(device)
        .map(row -> windows(row, additional).planStart(device, now, new StartRequirements(need, Duration.ZERO, before)))
        .map(plannedStart -> toStatus(plannedStart, now))
        .orElseGet(() -> closed(device + " no longer exists"));
  }

  private WindowSchedule windows(DeviceRow row, String additional) {
    return TenantWindows.ofDevice(row.spec(), labels).withLevel(WindowJson.read(additional));
  }

  private static WindowStatus toStatus(PlannedStart plannedStart, Instant now) {
    return switch (plannedStart) {
      case PlannedStart.Never(_, String why) -> closed(why);
      case PlannedStart.At(Instant at, WindowOpening opening) -> {
        boolean open = !at.isAfter(now);
        yield new WindowStatus(
            open,
            open ? Optional.empty() : Optional.of(at),
            open ? opening.closes() : Optional.empty(),
            "its window: " + opening);
      }
    };
  }

  private static WindowStatus closed(String why) {
    return new WindowStatus(false, Optional.empty(), Optional.empty(), "a window: " + why);
  }
}
