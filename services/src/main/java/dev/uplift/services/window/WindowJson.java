package dev.uplift.services.window;

import dev.uplift.fleet.window.Blackout;
import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowFields;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Maintenance windows as JSON in a column, with the fields of the REST API; empty if there are none.
public final class WindowJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final String DAYS = "days_of_week";
  private static final String START = "start_time";
  private static final String ZONE = "timezone";
  private static final String DURATION = "duration";
  private static final String BLACKOUTS = "blackout_dates";

  private WindowJson() {}

  public static String write(List<Window> windows) {
    return windows.isEmpty() ? "" : MAPPER.writeValueAsString(windows.stream().map(WindowJson::fields).toList());
  }

  private static Map<String, Object> fields(Window window) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put(DAYS, window.daysOfWeek().stream().map(WindowFields::format).toList());
    fields.put(START, WindowFields.format(window.startTime()));
    fields.put(ZONE, WindowFields.format(window.timezone()));
    fields.put(DURATION, WindowFields.format(window.duration()));
    fields.put(BLACKOUTS, window.blackoutDates().stream().map(WindowFields::format).toList());
    return fields;
  }

  /// Reads the text that [#write] has written.
  ///
  /// @throws RuntimeException if it is anything else
  public static List<Window> read(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    List<Window> windows = new ArrayList<>();
    for (JsonNode window : MAPPER.readTree(text)) {
      windows.add(window(window));
    }
    return windows;
  }

  private static Window window(JsonNode in) {
    Set<DayOfWeek> days =
        in.path(DAYS).valueStream().map(day -> WindowFields.dayOfWeek(day.asString())).collect(Collectors.toSet());
    List<Blackout> blackouts =
        in.path(BLACKOUTS).valueStream().map(date -> WindowFields.blackout(date.asString())).toList();
    return new Window(
        days,
        WindowFields.startTime(in.path(START).asString()),
        WindowFields.timezone(in.path(ZONE).asString(WindowFields.SITE_LOCAL)),
        WindowFields.duration(in.path(DURATION).asString()),
        blackouts);
  }
}
