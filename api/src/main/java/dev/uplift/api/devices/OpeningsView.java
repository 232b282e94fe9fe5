package dev.uplift.api.devices;

import dev.uplift.api.openings.OpeningView;
import dev.uplift.api.windows.WindowView;
import dev.uplift.fleet.window.Opening;
import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.Windows;
import dev.uplift.store.DeviceRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// When a device may be touched.
///
/// @param open whether it may be now
/// @param levels the subjects that have windows; it is open where all of them are
/// @param next the openings that have not closed, the one that is open now included
/// @param text the same, for people
@Serdeable
record OpeningsView(
    String device,
    String zone,
    boolean open,
    List<LevelView> levels,
    List<OpeningView> next,
    String text) {

  /// Windows of one subject.
  ///
  /// @param of `device`, or `label` and the label
  @Serdeable
  record LevelView(String of, List<WindowView> windows) {}

  static OpeningsView of(DeviceRow row, Map<String, List<Window>> levels, int count, Instant now) {
    Windows windows = new Windows(List.copyOf(levels.values()), row.spec().zone());
    List<LevelView> views = new ArrayList<>();
    levels.forEach((of, list) -> views.add(new LevelView(of, WindowView.all(list))));
    List<Opening> next = windows.next(count, now);
    return new OpeningsView(
        row.id().name(),
        row.spec().zone().getId(),
        next.stream().anyMatch(opening -> opening.isOpen(now)),
        views,
        next.stream().map(OpeningView::of).toList(),
        windows.at(now).toString());
  }
}
