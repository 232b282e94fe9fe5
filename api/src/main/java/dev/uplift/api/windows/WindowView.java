package dev.uplift.api.windows;

import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowFields;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/// A maintenance window as clients see it, which is how they write it.
@Serdeable
public record WindowView(
    List<String> daysOfWeek,
    String startTime,
    String timezone,
    String duration,
    List<String> blackoutDates) {

  public static List<WindowView> all(List<Window> windows) {
    return windows.stream().map(WindowView::of).toList();
  }

  private static WindowView of(Window window) {
    return new WindowView(
        window.daysOfWeek().stream().map(WindowFields::format).toList(),
        WindowFields.format(window.startTime()),
        WindowFields.format(window.timezone()),
        WindowFields.format(window.duration()),
        window.blackoutDates().stream().map(WindowFields::format).toList());
  }
}
