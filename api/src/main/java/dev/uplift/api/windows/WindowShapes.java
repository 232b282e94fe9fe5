package dev.uplift.api.windows;

import dev.uplift.api.json.Body;
import dev.uplift.api.json.Field;
import dev.uplift.api.json.Shape;
import dev.uplift.api.json.Shapes;
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
public final class WindowShapes {
  /// Of one subject. More than anybody can keep in mind.
  public static final int MOST = 20;

  /// A list of windows; equal ones count once.
  public static final Shape<List<Window>> ANY = list(0);

  /// The same, and there is one at least.
  static final Shape<List<Window>> SOME = list(1);

  private static final Shape<List<DayOfWeek>> DAYS =
      Shapes.list(Shapes.TEXT.then(WindowFields::dayOfWeek), 1, DayOfWeek.values().length);
  private static final Shape<List<Blackout>> BLACKOUTS =
      Shapes.list(Shapes.TEXT.then(WindowFields::blackout), 0, Window.MOST_BLACKOUTS);

  private WindowShapes() {}

  private static Shape<List<Window>> list(int least) {
    return Shapes.list(Body.object(WindowShapes::window), least, MOST)
        .then(windows -> windows.stream().distinct().toList());
  }

  private static Supplier<Window> window(Body in) {
    Field<List<DayOfWeek>> days = in.required("days_of_week", DAYS);
    Field<LocalTime> start = in.required("start_time", Shapes.TEXT.then(WindowFields::startTime));
    Field<Optional<ZoneId>> zone =
        in.optional("timezone", Shapes.TEXT.then(WindowFields::timezone));
    Field<Duration> duration = in.required("duration", Shapes.TEXT.then(WindowFields::duration));
    Field<List<Blackout>> blackouts = in.optional("blackout_dates", BLACKOUTS);
    return () ->
        new Window(
            Set.copyOf(days.get()),
            start.get(),
            zone.or(Optional.empty()),
            duration.get(),
            blackouts.or(List.of()));
  }
}
