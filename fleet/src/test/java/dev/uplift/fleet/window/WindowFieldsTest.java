package dev.uplift.fleet.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class WindowFieldsTest {
  private static final String DAY = "expected a day of the week such as monday or mon, found ";
  private static final String TIME = "expected a time of day from 00:00 to 23:59 such as 02:30, found ";
  private static final String ZONE = "expected site-local or an IANA time zone such as Europe/Berlin";
  private static final String LENGTH = "expected a duration of whole minutes from 1m to 7d such as 4h, found ";
  private static final String DURATION = "expected a duration such as 4h, 90m, 1h30m or 2d, found ";
  private static final String DATE =
      "expected a date such as 2026-12-24 or a range of them such as 2026-12-24/2027-01-06, found ";

  static final List<Case> WRONG =
      List.of(
          day("", DAY + "\"\""),
          day("mo", DAY + "\"mo\""),
          day("monday,tuesday", DAY + "\"monday,tuesday\""),
          day("lundi", DAY + "\"lundi\""),
          time("24:00", TIME + "\"24:00\""),
          time("2:30", TIME + "\"2:30\""),
          time("02:60", TIME + "\"02:60\""),
          time("02:30:00", TIME + "\"02:30:00\""),
          time("2 am", TIME + "\"2 am\""),
          zone("+02:00", ZONE + ", found \"+02:00\""),
          zone("GMT+2", ZONE + ", found \"GMT+2\""),
          zone("Mars/Olympus", ZONE + ", found \"Mars/Olympus\""),
          zone("europe/berlin", ZONE + " (perhaps Europe/Berlin?), found \"europe/berlin\""),
          zone("Lord Howe", ZONE + " (perhaps Australia/Lord_Howe?), found \"Lord Howe\""),
          zone("local", ZONE + ", found \"local\""),
          zone("z".repeat(61), ZONE + ", found \"" + "z".repeat(60) + "…\""),
          duration("", DURATION + "\"\""),
          duration("4", DURATION + "\"4\""),
          duration("4 hours", DURATION + "\"4 hours\""),
          duration("30m1h", DURATION + "\"30m1h\""),
          duration("P1M", DURATION + "\"P1M\""),
          duration("-4h", DURATION + "\"-4h\""),
          duration("0m", LENGTH + "PT0S"),
          duration("7d1m", LENGTH + "PT168H1M"),
          duration("PT90S", LENGTH + "PT1M30S"),
          duration("PT-4H", LENGTH + "PT-4H"),
          date("24.12.2026", DATE + "\"24.12.2026\""),
          date("2026-02-29", DATE + "\"2026-02-29\""),
          date("12-24", DATE + "\"12-24\""),
          date("2026-12-24/", DATE + "\"2026-12-24/\""),
          date("2026-12-24/2026-12-25/2026-12-26", DATE + "\"2026-12-24/2026-12-25/2026-12-26\""),
          date("2026-12-24/2026-12-23", "expected the first date before the last, found 2026-12-24/2026-12-23"));

  @ParameterizedTest
  @FieldSource("WRONG")
  void faultsHaveTheExpectedValue(Case one) {
    assertThatThrownBy(() -> one.read.apply(one.text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(one.message);
  }

  @Test
  void daysAreParsedInFullOrShort() {
    assertThat(WindowFields.dayOfWeek("monday")).isEqualTo(DayOfWeek.MONDAY);
    assertThat(WindowFields.dayOfWeek("Sun")).isEqualTo(DayOfWeek.SUNDAY);
  }

  @Test
  void durationsAreParsedInBothForms() {
    assertThat(List.of("1h30m", "90m", "PT1H30M", "0h90m"))
        .allMatch(text -> WindowFields.duration(text).equals(Duration.ofMinutes(90)));
    assertThat(List.of("7d", "168h", "P7D", "6d24h"))
        .allMatch(text -> WindowFields.duration(text).equals(Duration.ofDays(7)));
  }

  @Test
  void siteLocalIsNotAZone() {
    assertThat(WindowFields.timezone("site-local")).isEmpty();
    assertThat(WindowFields.timezone("UTC")).contains(ZoneId.of("UTC"));
  }

  @Test
  void formattedValuesAreParsedBack() {
    for (DayOfWeek day : DayOfWeek.values()) {
      assertThat(WindowFields.dayOfWeek(WindowFields.format(day))).isEqualTo(day);
    }
    for (String time : List.of("00:00", "02:30", "23:59")) {
      assertThat(WindowFields.format(WindowFields.startTime(time))).isEqualTo(time);
    }
    for (String zone : List.of("site-local", "UTC", "Antarctica/Troll")) {
      assertThat(WindowFields.format(WindowFields.timezone(zone))).isEqualTo(zone);
    }
    for (String duration : List.of("1m", "4h", "1h30m", "1d", "2d12h1m", "7d")) {
      assertThat(WindowFields.format(WindowFields.duration(duration))).isEqualTo(duration);
    }
    for (String date : List.of("2026-12-24", "2026-12-24/2027-01-06")) {
      assertThat(WindowFields.format(WindowFields.blackout(date))).isEqualTo(date);
    }
  }

  @Test
  void impossibleWindowsAreRejected() {
    assertThatThrownBy(() -> window(Set.of(), LocalTime.NOON, Duration.ofHours(1), 0))
        .hasMessage("expected at least one day of the week, found none");
    assertThatThrownBy(() -> window(days(), LocalTime.of(2, 30, 1), Duration.ofHours(1), 0))
        .hasMessage("expected a start time in whole minutes such as 02:30, found 02:30:01");
    assertThatThrownBy(() -> window(days(), LocalTime.NOON, Duration.ZERO, 0)).hasMessage(LENGTH + "PT0S");
    assertThatThrownBy(() -> window(days(), LocalTime.NOON, Duration.ofDays(8), 0)).hasMessage(LENGTH + "PT192H");
    assertThatThrownBy(() -> window(days(), LocalTime.NOON, Duration.ofHours(1), 101))
        .hasMessage("expected at most 100 blackout dates or ranges of dates, found 101");
  }

  @Test
  void equivalentWindowsAreEqual() {
    assertThat(WindowNotation.window("tue,mon 02:30 1h30m UTC 2026-12-24 2026-01-01 2026-12-24"))
        .isEqualTo(WindowNotation.window("mon,tue 02:30 90m UTC 2026-01-01 2026-12-24"))
        .hasToString("monday,tuesday 02:30 UTC for 1h30m except 2026-01-01,2026-12-24");
    assertThat(WindowNotation.window("sun 00:00 7d site-local")).hasToString("sunday 00:00 site-local for 7d");
  }

  private static Window window(Set<DayOfWeek> days, LocalTime start, Duration length, int out) {
    List<Blackout> blackouts = new ArrayList<>();
    for (int i = 0; i < out; i++) {
      LocalDate date = LocalDate.of(2026, 1, 1).plusDays(i);
      blackouts.add(new Blackout(date, date));
    }
    return new Window(days, start, Optional.empty(), length, blackouts);
  }

  private static Set<DayOfWeek> days() {
    return EnumSet.of(DayOfWeek.MONDAY);
  }

  record Case(Function<String, ?> read, String text, String message) {
    @Override
    public String toString() {
      return "\"" + text + "\"";
    }
  }

  private static Case day(String text, String message) {
    return new Case(WindowFields::dayOfWeek, text, message);
  }

  private static Case time(String text, String message) {
    return new Case(WindowFields::startTime, text, message);
  }

  private static Case zone(String text, String message) {
    return new Case(WindowFields::timezone, text, message);
  }

  private static Case duration(String text, String message) {
    return new Case(WindowFields::duration, text, message);
  }

  private static Case date(String text, String message) {
    return new Case(WindowFields::blackout, text, message);
  }
}
