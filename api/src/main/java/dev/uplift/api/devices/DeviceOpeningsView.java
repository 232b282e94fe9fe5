package dev.uplift.api.devices;

import dev.uplift.api.openings.OpeningView;
import dev.uplift.api.windows.WindowView;
import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowOpening;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.store.device.DeviceRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// When a device may be touched.
///
/// @param open whether it may be now
/// @param windowSources the subjects that have windows; it is open where all of them are
/// @param nextOpenings the openings that have not closed, the one that is open now included
/// @param message it as a sentence
@Serdeable
record DeviceOpeningsView(
    String device,
    String zone,
    boolean open,
    List<WindowSourceView> windowSources,
    List<OpeningView> nextOpenings,
    String message) {

  /// Windows of one subject.
  ///
  /// @param source `device`, or `label` and the label
  @Serdeable
  record WindowSourceView(String source, List<WindowView> windows) {}

  static DeviceOpeningsView of(DeviceRow row, Map<String, List<Window>> levels, int count, Instant now) {
    WindowSchedule windowSchedule = new WindowSchedule(List.copyOf(levels.values()), row.spec().zone());
    List<WindowSourceView> views = new ArrayList<>();
    levels.forEach((of, list) -> views.add(new WindowSourceView(of, WindowView.all(list))));
    List<WindowOpening> next = windowSchedule.nextOpenings(count, now);
    return new DeviceOpeningsView(
        row.id().name(),
        row.spec().zone().getId(),
        next.stream().anyMatch(opening -> opening.isOpen(now)),
        views,
        next.stream().map(OpeningView::of).toList(),
        windowSchedule.stateAt(now).toString());
  }
}
