package dev.uplift.api.osupgrade;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowFields;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.format.TextStyle;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// A maintenance window.
///
/// @param daysOfWeek English names, separated by commas
/// @param startTime local time of day
/// @param timezone an IANA zone; `site-local`: that of each site
/// @param duration such as `4h` or `1h30m`
@Serdeable
record MaintenanceWindowView(
    @JsonProperty("days-of-week")
        @Schema(pattern = MaintenanceWindowView.DAYS, example = "Friday, Saturday", maxLength = 100)
        String daysOfWeek,
    @JsonProperty("start-time") String startTime,
    @Bindable(defaultValue = WindowFields.SITE_LOCAL) String timezone,
    String duration)
    implements RequestBody {
  private static final String DAY =
      "([Mm]on(day)?|[Tt]ue(sday)?|[Ww]ed(nesday)?|[Tt]hu(rsday)?|[Ff]ri(day)?|[Ss]at(urday)?|[Ss]un(day)?)";
  static final String DAYS = "^" + DAY + "( ?, ?" + DAY + "){0,6}$";

  private static final int MAX_DAYS = 7;

  static List<MaintenanceWindowView> all(List<Window> windows) {
    return windows.stream().map(MaintenanceWindowView::of).toList();
  }

  static MaintenanceWindowView of(Window window) {
    return new MaintenanceWindowView(
        window.daysOfWeek().stream()
            .map(day -> day.getDisplayName(TextStyle.FULL, Locale.ENGLISH))
            .collect(Collectors.joining(", ")),
        WindowFields.format(window.startTime()),
        WindowFields.format(window.timezone()),
        WindowFields.format(window.duration()));
  }

  @Override
  public void check(BodyErrors errors, Instant now) {
    errors.check("/days-of-week", daysOfWeek, MaintenanceWindowView::days);
    errors.check("/start-time", startTime, WindowFields::startTime);
    errors.check("/timezone", timezone, WindowFields::timezone);
    errors.check("/duration", duration, WindowFields::duration);
  }

  /// The days in a text such as `Friday, Saturday`.
  static Set<DayOfWeek> days(String text) {
    String[] names = text.split(",", -1);
    if (names.length > MAX_DAYS) {
      throw new IllegalArgumentException("expected at most %d days, found %d".formatted(MAX_DAYS, names.length));
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String name : names) {
      days.add(WindowFields.dayOfWeek(name.strip()));
    }
    return days;
  }

  Window window() {
    return Window.of(
        days(daysOfWeek),
        WindowFields.startTime(startTime),
        WindowFields.timezone(timezone),
        WindowFields.duration(duration));
  }
}
