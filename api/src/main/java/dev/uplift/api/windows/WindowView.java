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
        window.daysOfWeek().stream().map(WindowFields::text).toList(),
        WindowFields.text(window.startTime()),
        WindowFields.text(window.timezone()),
        WindowFields.text(window.duration()),
        window.blackoutDates().stream().map(WindowFields::text).toList());
  }
}
