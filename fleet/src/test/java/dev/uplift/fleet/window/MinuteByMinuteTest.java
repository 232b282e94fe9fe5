package dev.uplift.fleet.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares the computed openings with a simulated wall clock, read every minute for five weeks, which opens as soon as
/// it shows the start time or later.
final class MinuteByMinuteTest {
  private static final int DAYS = 35;
  private static final int TRIES = 25;
  private static final int WARM_UP = 12;

  static Stream<Weeks> weeks() {
    return Stream.of(
        new Weeks("Europe/Berlin", "2025-03-05"),
        new Weeks("Europe/Berlin", "2025-10-01"),
        new Weeks("Australia/Lord_Howe", "2024-03-15"),
        new Weeks("Australia/Lord_Howe", "2024-09-12"),
        new Weeks("Pacific/Apia", "2011-12-05"),
        new Weeks("Antarctica/Troll", "2025-03-05"),
        new Weeks("Antarctica/Troll", "2025-10-01"),
        new Weeks("Africa/Casablanca", "2024-02-18"),
        new Weeks("Africa/Casablanca", "2024-03-22"),
        new Weeks("America/Nuuk", "2024-03-06"),
        // Clocks change at midnight.
        new Weeks("America/Havana", "2024-02-16"),
        new Weeks("America/Havana", "2024-10-10"),
        new Weeks("Africa/Cairo", "2024-10-07"));
  }

  @ParameterizedTest
  @MethodSource("weeks")
  void openingsMatchAWallClock(Weeks weeks) {
    var referenceClock = new ReferenceClock(weeks);
    var random = new Random(weeks.toString().hashCode());
    for (int i = 0; i < TRIES; i++) {
      List<Window> written = Stream.generate(() -> referenceClock.anyWindow(random)).limit(1 + i % 3).toList();
      Instant from = referenceClock.minute(WARM_UP * 24 * 60 + random.nextInt(24 * 60));
      Instant until = referenceClock.minute((DAYS - 3) * 24 * 60);

      BitSet computed = referenceClock.open(new WindowSchedule(List.of(written), referenceClock.zone), from, until);

      assertThat(referenceClock.at(referenceClock.watched(written, from, until)))
          .as("%s from %s in %s", written, from, weeks)
          .isEqualTo(referenceClock.at(computed));
    }
  }

  record Weeks(String zone, String begin) {}

  /// A wall clock in one zone, with its time in every minute.
  private static final class ReferenceClock {
    private final ZoneId zone;
    private final Instant begin;
    private final List<LocalDateTime> shown = new ArrayList<>();
    private final Map<LocalDate, Integer> dateBegins = new HashMap<>();

    ReferenceClock(Weeks weeks) {
      zone = ZoneId.of(weeks.zone);
      begin = WindowNotation.at(weeks.begin);
      for (int i = 0; i < DAYS * 24 * 60; i++) {
        shown.add(LocalDateTime.ofInstant(minute(i), zone));
        dateBegins.putIfAbsent(shown.get(i).toLocalDate(), i);
      }
    }

    Instant minute(int index) {
      return begin.plus(Duration.ofMinutes(index));
    }

    /// Returns a random window close to midnight or to three, when clocks change.
    Window anyWindow(Random random) {
      var days = EnumSet.of(DayOfWeek.of(1 + random.nextInt(7)));
      for (DayOfWeek day : DayOfWeek.values()) {
        if (random.nextInt(3) == 0) {
          days.add(day);
        }
      }
      LocalTime start = LocalTime.of(22, 0).plusMinutes(random.nextInt(7 * 60));
      var duration = Duration.ofMinutes(1 + random.nextInt(random.nextBoolean() ? 400 : 7 * 24 * 60));
      LocalDate freeze = LocalDate.ofInstant(begin, zone).plusDays(5 + random.nextInt(25));
      List<Blackout> blackouts =
          random.nextBoolean() ? List.of() : List.of(new Blackout(freeze, freeze.plusDays(random.nextInt(3))));
      return new Window(days, start, Optional.of(zone), duration, blackouts);
    }

    BitSet watched(List<Window> written, Instant from, Instant until) {
      var open = new BitSet();
      for (Window window : written) {
        for (LocalDate date : dateBegins.keySet()) {
          watch(window, date, open);
        }
      }
      open.clear(0, index(from));
      open.clear(index(until), shown.size());
      return open;
    }

    private void watch(Window window, LocalDate date, BitSet open) {
      int start = firstShown(date.atTime(window.startTime()));
      if (start < 0 || !window.daysOfWeek().contains(date.getDayOfWeek()) || dark(window, date)) {
        return;
      }
      for (int i = start; i < start + window.duration().toMinutes() && i < shown.size(); i++) {
        LocalDate now = shown.get(i).toLocalDate();
        if (now.isAfter(date) && dark(window, now)) {
          return;
        }
        open.set(i);
      }
    }

    private static boolean dark(Window window, LocalDate date) {
      return window.blackoutDates().stream().anyMatch(out -> !date.isBefore(out.first()) && !date.isAfter(out.last()));
    }

    private int firstShown(LocalDateTime time) {
      for (int i = dateBegins.getOrDefault(time.toLocalDate(), 0); i < shown.size(); i++) {
        if (!shown.get(i).isBefore(time)) {
          return i;
        }
      }
      return -1;
    }

    BitSet open(WindowSchedule windowSchedule, Instant from, Instant until) {
      var open = new BitSet();
      for (WindowOpening opening : windowSchedule.nextOpenings(DAYS * 24, from)) {
        Instant opens = opening.opens().orElse(from);
        Instant closes = opening.closes().orElse(until);
        if (opens.isBefore(until)) {
          open.set(index(opens.isBefore(from) ? from : opens), index(closes.isAfter(until) ? until : closes));
        }
      }
      return open;
    }

    private int index(Instant instant) {
      return Math.toIntExact(Duration.between(begin, instant).toMinutes());
    }

    /// Returns the minutes at which something opens or closes.
    List<String> at(BitSet open) {
      List<String> edges = new ArrayList<>();
      for (int i = open.nextSetBit(0); i >= 0; i = open.nextSetBit(open.nextClearBit(i))) {
        edges.add(minute(i) + "/" + minute(open.nextClearBit(i)));
      }
      return edges;
    }
  }
}
