package dev.uplift.activities.device;

import dev.uplift.activities.window.SiteWindows;
import dev.uplift.activities.window.WindowTexts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.window.Opening;
import dev.uplift.fleet.window.Start;
import dev.uplift.fleet.window.Wanted;
import dev.uplift.fleet.window.Windows;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.Devices;
import dev.uplift.store.LabelWindows;
import dev.uplift.workflows.device.WindowSight;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What the windows of a device say, as a workflow asks for it: as instants, for zones and their
/// rules change and histories must not.
final class DeviceWindows {
  private final Devices devices;
  private final LabelWindows labels;

  DeviceWindows(Devices devices, LabelWindows labels) {
    this.devices = devices;
    this.labels = labels;
  }

  /// As [dev.uplift.workflows.device.DeviceRecords#window].
  WindowSight look(DeviceId device, String besides, Duration need, Instant before, Instant now) {
    return devices
        .find(device)
        .map(row ->
            windows(row, besides).start(device, now, new Wanted(need, Duration.ZERO, before)))
        .map(start -> sight(start, now))
        .orElseGet(() -> closed(device + " is not in the records any more"));
  }

  private Windows windows(DeviceRow row, String besides) {
    return SiteWindows.of(row.id().tenant(), labels).of(row.spec()).and(WindowTexts.read(besides));
  }

  private static WindowSight sight(Start start, Instant now) {
    return switch (start) {
      case Start.Never(_, String why) -> closed(why);
      case Start.At(Instant at, Opening opening) -> {
        boolean open = !at.isAfter(now);
        yield new WindowSight(
            open,
            open ? Optional.empty() : Optional.of(at),
            open ? opening.closes() : Optional.empty(),
            "its window: " + opening);
      }
    };
  }

  private static WindowSight closed(String why) {
    return new WindowSight(false, Optional.empty(), Optional.empty(), "a window: " + why);
  }
}
