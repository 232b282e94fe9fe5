package dev.uplift.api.windows;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.CommaSeparated;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowFields;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A maintenance window as clients write it, and as it is shown to them.
///
/// @param daysOfWeek on which it opens, such as `monday` or `mon`; also as one text with commas, `fri, sat`
/// @param startTime such as `02:30`
/// @param timezone such as `Europe/Berlin`; `site-local`: that of each device
/// @param duration such as `4h` or `1h30m`
/// @param blackoutDates on which it stays closed, such as `2026-12-24` or `2026-12-24/2027-01-06`
@Serdeable
public record WindowView(
    @CommaSeparated @Size(min = 1, max = 7) List<String> daysOfWeek,
    String startTime,
    @Bindable(defaultValue = WindowFields.SITE_LOCAL) String timezone,
    String duration,
    @Bindable(defaultValue = "[]") @Size(max = Window.MAX_BLACKOUTS) List<String> blackoutDates)
    implements RequestBody {
  public static List<WindowView> all(List<Window> windows) {
    return windows.stream().map(WindowView::of).toList();
  }

  /// The windows as they were written; equal ones count once.
  public static List<Window> windows(List<WindowView> views) {
    return views.stream().map(WindowView::window).distinct().toList();
  }

  private static WindowView of(Window window) {
    return new WindowView(
        window.daysOfWeek().stream().map(WindowFields::format).toList(),
        WindowFields.format(window.startTime()),
        WindowFields.format(window.timezone()),
        WindowFields.format(window.duration()),
        window.blackoutDates().stream().map(WindowFields::format).toList());
  }

  @Override
  public void check(BodyErrors errors, Instant now) {
    checkAll(errors, "/days_of_week/", daysOfWeek, WindowFields::dayOfWeek);
    errors.check("/start_time", startTime, WindowFields::startTime);
    errors.check("/timezone", timezone, WindowFields::timezone);
    errors.check("/duration", duration, WindowFields::duration);
    checkAll(errors, "/blackout_dates/", blackoutDates, WindowFields::blackout);
  }

  private static void checkAll(BodyErrors errors, String pointer, @Nullable List<String> texts, Consumer<String> rule) {
    for (int i = 0; texts != null && i < texts.size(); i++) {
      errors.check(pointer + i, texts.get(i), rule);
    }
  }

  private Window window() {
    return new Window(
        daysOfWeek.stream().map(WindowFields::dayOfWeek).collect(Collectors.toSet()),
        WindowFields.startTime(startTime),
        WindowFields.timezone(timezone),
        WindowFields.duration(duration),
        blackoutDates.stream().map(WindowFields::blackout).toList());
  }
}
