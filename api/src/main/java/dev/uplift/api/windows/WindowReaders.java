package dev.uplift.api.windows;

import dev.uplift.api.json.JsonBody;
import dev.uplift.api.json.JsonField;
import dev.uplift.api.json.ValueReader;
import dev.uplift.api.json.ValueReaders;
import dev.uplift.fleet.window.Blackout;
import dev.uplift.fleet.window.Window;
import dev.uplift.fleet.window.WindowFields;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// How the windows of one subject are written in a request:
/// `[{"days_of_week":["monday"],"start_time":"02:00",…}]`.
public final class WindowReaders {
  /// Of one subject. More than anybody can keep in mind.
  public static final int MAX_WINDOWS = 20;

  /// A list of windows; equal ones count once.
  public static final ValueReader<List<Window>> ANY = list(0);

  /// The same, and there is one at least.
  static final ValueReader<List<Window>> NON_EMPTY = list(1);

  private static final ValueReader<List<DayOfWeek>> DAYS =
      ValueReaders.list(
          ValueReaders.TEXT.then(WindowFields::dayOfWeek), 1, DayOfWeek.values().length);
  private static final ValueReader<List<Blackout>> BLACKOUTS =
      ValueReaders.list(ValueReaders.TEXT.then(WindowFields::blackout), 0, Window.MAX_BLACKOUTS);

  private WindowReaders() {}

  private static ValueReader<List<Window>> list(int least) {
    return ValueReaders.list(JsonBody.object(WindowReaders::window), least, MAX_WINDOWS)
        .then(windows -> windows.stream().distinct().toList());
  }

  private static Supplier<Window> window(JsonBody in) {
    JsonField<List<DayOfWeek>> days = in.required("days_of_week", DAYS);
    JsonField<LocalTime> start =
        in.required("start_time", ValueReaders.TEXT.then(WindowFields::startTime));
    JsonField<Optional<ZoneId>> zone =
        in.optional("timezone", ValueReaders.TEXT.then(WindowFields::timezone));
    JsonField<Duration> duration =
        in.required("duration", ValueReaders.TEXT.then(WindowFields::duration));
    JsonField<List<Blackout>> blackouts = in.optional("blackout_dates", BLACKOUTS);
    return () ->
        new Window(
            Set.copyOf(days.get()),
            start.get(),
            zone.orElse(Optional.empty()),
            duration.get(),
            blackouts.orElse(List.of()));
  }
}
