package dev.uplift.fleet.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One window each, on dates with known clock changes. Expected instants are written by hand from the clock changes
/// above each group.
final class WindowRulesTest {
  private static final List<Case> ORDINARY =
      List.of(
          of("a night", "wed 02:00 4h Europe/Berlin", "2025-01-13")
              .opens("2025-01-15T01:00Z/2025-01-15T05:00Z", "2025-01-22T01:00Z/2025-01-22T05:00Z"),
          of("asked as it opens", "wed 02:00 4h Europe/Berlin", "2025-01-15T01:00Z")
              .opens("2025-01-15T01:00Z/2025-01-15T05:00Z"),
          of("asked before it closes", "wed 02:00 4h Europe/Berlin", "2025-01-15T04:59:59.999Z")
              .opens("2025-01-15T01:00Z/2025-01-15T05:00Z"),
          of("asked as it closes", "wed 02:00 4h Europe/Berlin", "2025-01-15T05:00Z")
              .opens("2025-01-22T01:00Z/2025-01-22T05:00Z"),
          of("over midnight", "tue,wed 23:00 3h UTC", "2025-06-10T23:30Z")
              .opens("2025-06-10T23:00Z/2025-06-11T02:00Z", "2025-06-11T23:00Z/2025-06-12T02:00Z"),
          of("over the week's end", "sun 23:00 3h UTC", "2025-06-14").opens("2025-06-15T23:00Z/2025-06-16T02:00Z"),
          of("over the year's end", "wed 23:30 2h Europe/Berlin", "2025-12-30")
              .opens("2025-12-31T22:30Z/2026-01-01T00:30Z"),
          of("on a leap day", "thu 03:00 1h UTC", "2024-02-28").opens("2024-02-29T03:00Z/2024-02-29T04:00Z"),
          of("into a leap day", "wed 23:00 3h UTC", "2024-02-28").opens("2024-02-28T23:00Z/2024-02-29T02:00Z"),
          of("into March without one", "tue 23:00 3h UTC", "2023-02-28").opens("2023-02-28T23:00Z/2023-03-01T02:00Z"),
          of("east of the date line", "mon 01:00 1h Pacific/Kiritimati", "2025-06-14")
              .opens("2025-06-15T11:00Z/2025-06-15T12:00Z"));

  private static final List<Case> LONG =
      List.of(
          // Includes the night in which Berlin loses an hour: 60 hours, but until 07:00.
          of("a weekend", "fri 18:00 60h Europe/Berlin", "2025-03-27").opens("2025-03-28T17:00Z/2025-03-31T05:00Z"),
          of("opened five days ago", "mon 06:00 6d UTC", "2025-06-21")
              .opens("2025-06-16T06:00Z/2025-06-22T06:00Z", "2025-06-23T06:00Z/2025-06-29T06:00Z"),
          of("days that overlap are one", "mon,tue 12:00 36h UTC", "2025-06-15")
              .opens("2025-06-16T12:00Z/2025-06-19T00:00Z", "2025-06-23T12:00Z/2025-06-26T00:00Z"),
          of("days that touch are one", "mon,tue 06:00 24h UTC", "2025-06-15")
              .opens("2025-06-16T06:00Z/2025-06-18T06:00Z"),
          of("every day, all day", "daily 00:00 24h UTC", "2025-06-15").opens("../.."),
          of("from Sunday to Sunday", "sun 12:00 7d Asia/Tokyo", "2025-06-15").opens("../.."),
          // The day on which clocks go back has 25 hours, so 24 hours are not all of it.
          of("24 hours of 25", "daily 00:00 24h Europe/Berlin", "2025-10-25")
              .opens("../2025-10-26T22:00Z", "2025-10-26T23:00Z/2026-10-25T22:00Z"),
          of("25 hours of 25", "daily 00:00 25h Europe/Berlin", "2025-10-25").opens("../.."));

  /// Put forward on 30 March 2025 at 02:00 +01 (01:00Z) to 03:00 +02, and put back on 26 October at 03:00 +02 (01:00Z)
  /// to 02:00 +01.
  private static final List<Case> BERLIN =
      List.of(
          of("jumped over", "sun 02:30 2h Europe/Berlin", "2025-03-28")
              .opens("2025-03-30T01:00Z/2025-03-30T03:00Z", "2025-04-06T00:30Z/2025-04-06T02:30Z"),
          of("as the clock jumps", "sun 02:00 1h Europe/Berlin", "2025-03-28")
              .opens("2025-03-30T01:00Z/2025-03-30T02:00Z"),
          of("where it lands", "sun 03:00 1h Europe/Berlin", "2025-03-28").opens("2025-03-30T01:00Z/2025-03-30T02:00Z"),
          of("before and after the jump", "sun 01:30 2h Europe/Berlin", "2025-03-28")
              .opens("2025-03-30T00:30Z/2025-03-30T02:30Z"),
          of("comes twice", "sun 02:30 1h Europe/Berlin", "2025-10-24")
              .opens("2025-10-26T00:30Z/2025-10-26T01:30Z", "2025-11-02T01:30Z/2025-11-02T02:30Z"),
          of("the repeated hour", "sun 02:30 1h Europe/Berlin", "2025-10-26T01:30Z")
              .opens("2025-11-02T01:30Z/2025-11-02T02:30Z"),
          of("including both hours", "sun 01:00 4h Europe/Berlin", "2025-10-24")
              .opens("2025-10-25T23:00Z/2025-10-26T03:00Z"),
          of("once both are over", "sun 03:00 1h Europe/Berlin", "2025-10-24")
              .opens("2025-10-26T02:00Z/2025-10-26T03:00Z"));

  /// Half an hour. Put back on 7 April 2024 at 02:00 +11 (15:00Z the day before) to 01:30 +10:30, put forward on 6
  /// October at 02:00 +10:30 (15:30Z the day before) to 02:30 +11.
  private static final List<Case> LORD_HOWE =
      List.of(
          of("comes twice", "sun 01:45 1h Australia/Lord_Howe", "2024-04-05")
              .opens("2024-04-06T14:45Z/2024-04-06T15:45Z", "2024-04-13T15:15Z/2024-04-13T16:15Z"),
          of("jumped over", "sun 02:15 1h Australia/Lord_Howe", "2024-10-04")
              .opens("2024-10-05T15:30Z/2024-10-05T16:30Z", "2024-10-12T15:15Z/2024-10-12T16:15Z"),
          of("over the jump", "sun 01:00 4h Australia/Lord_Howe", "2024-10-04")
              .opens("2024-10-05T14:30Z/2024-10-05T18:30Z"));

  /// Went from the end of Thursday 29 December 2011 at -10 (10:00Z on the 30th) to the beginning of Saturday the 31st
  /// at +14.
  private static final List<Case> APIA =
      List.of(
          of("a day that never was", "daily 02:00 2h Pacific/Apia", "2011-12-28T12:00Z")
              .opens(
                  "2011-12-28T12:00Z/2011-12-28T14:00Z",
                  "2011-12-29T12:00Z/2011-12-29T14:00Z",
                  "2011-12-30T12:00Z/2011-12-30T14:00Z",
                  "2011-12-31T12:00Z/2011-12-31T14:00Z"),
          of("no such Friday", "fri 02:00 2h Pacific/Apia", "2011-12-24").opens("2012-01-05T12:00Z/2012-01-05T14:00Z"),
          of("from Thursday into Saturday", "thu 22:00 4h Pacific/Apia", "2011-12-28")
              .opens("2011-12-30T08:00Z/2011-12-30T12:00Z"),
          of("no such blackout", "thu 22:00 4h Pacific/Apia 2011-12-30", "2011-12-28")
              .opens("2011-12-30T08:00Z/2011-12-30T12:00Z"),
          of("the blackout after it", "thu 22:00 4h Pacific/Apia 2011-12-31", "2011-12-28")
              .opens("2011-12-30T08:00Z/2011-12-30T10:00Z"));

  /// Two hours. Put forward on 30 March 2025 at 01:00 +00 to 03:00 +02, put back on 26 October at 03:00 +02 to 01:00
  /// +00, both at 01:00Z.
  private static final List<Case> TROLL =
      List.of(
          of("jumped over", "sun 02:30 1h Antarctica/Troll", "2025-03-28")
              .opens("2025-03-30T01:00Z/2025-03-30T02:00Z", "2025-04-06T00:30Z/2025-04-06T01:30Z"),
          of("comes twice", "sun 01:30 4h Antarctica/Troll", "2025-10-24")
              .opens("2025-10-25T23:30Z/2025-10-26T03:30Z", "2025-11-02T01:30Z/2025-11-02T05:30Z"));

  /// For Ramadan the clock goes back: on 10 March 2024 at 03:00 +01 (02:00Z) to 02:00 +00, and forward again on 14
  /// April at 02:00 +00 (02:00Z) to 03:00 +01.
  private static final List<Case> CASABLANCA =
      List.of(
          of("comes twice", "sun 02:30 1h Africa/Casablanca", "2024-03-08")
              .opens("2024-03-10T01:30Z/2024-03-10T02:30Z", "2024-03-17T02:30Z/2024-03-17T03:30Z"),
          of("jumped over", "sun 02:30 1h Africa/Casablanca", "2024-04-12")
              .opens("2024-04-14T02:00Z/2024-04-14T03:00Z", "2024-04-21T01:30Z/2024-04-21T02:30Z"));

  /// On Saturday 30 March 2024 the clock jumped from 23:00 -02 (01:00Z on the 31st) to midnight -01.
  private static final List<Case> NUUK =
      List.of(
          of("jumped over, into Sunday", "sat 23:30 1h America/Nuuk", "2024-03-29")
              .opens("2024-03-31T01:00Z/2024-03-31T02:00Z"),
          of("into a blackout", "sat 23:30 1h America/Nuuk 2024-03-31", "2024-03-29")
              .opens("2024-04-07T00:30Z/2024-04-07T01:30Z"));

  private static final List<Case> BLACKOUTS =
      List.of(
          of("the night begins on it", "thu 22:00 8h UTC 2026-12-24", "2026-12-21")
              .opens("2026-12-31T22:00Z/2027-01-01T06:00Z"),
          of("the night runs into it", "wed 22:00 8h UTC 2026-12-24", "2026-12-21")
              .opens("2026-12-23T22:00Z/2026-12-24T00:00Z", "2026-12-30T22:00Z/2026-12-31T06:00Z"),
          of("the date is a local one", "thu 02:00 4h Pacific/Auckland 2026-12-24", "2026-12-21")
              .opens("2026-12-30T13:00Z/2026-12-30T17:00Z"),
          of("it does not continue after it", "fri 18:00 60h UTC 2026-12-26", "2026-12-22")
              .opens("2026-12-25T18:00Z/2026-12-26T00:00Z", "2027-01-01T18:00Z/2027-01-04T06:00Z"),
          of("first and last date are included", "daily 02:00 1h UTC 2026-12-23/2026-12-25", "2026-12-22T01:00Z")
              .opens("2026-12-22T02:00Z/2026-12-22T03:00Z", "2026-12-26T02:00Z/2026-12-26T03:00Z"),
          of("several", "daily 02:00 1h UTC 2026-12-24 2026-12-22/2026-12-23", "2026-12-21T02:30Z")
              .opens("2026-12-21T02:00Z/2026-12-21T03:00Z", "2026-12-25T02:00Z/2026-12-25T03:00Z"),
          of("always except then", "daily 00:00 24h UTC 2026-12-24", "2026-12-21")
              .opens("../2026-12-24T00:00Z", "2026-12-25T00:00Z/.."),
          of("never again", "daily 00:00 24h UTC 2020-01-01/9999-12-31", "2026-12-21").opens(),
          of("not within the horizon", "daily 02:00 1h UTC 2026-01-01/2028-01-24", "2026-12-21").opens(),
          of("just within it", "daily 02:00 1h UTC 2026-01-01/2028-01-23", "2026-12-21")
              .opens("2028-01-24T02:00Z/2028-01-24T03:00Z"));

  static Stream<Case> cases() {
    return Stream.of(ORDINARY, LONG, BERLIN, LORD_HOWE, APIA, TROLL, CASABLANCA, NUUK, BLACKOUTS).flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aWindowOpensByTheClockOfItsZone(Case one) {
    var windowSchedule = new WindowSchedule(List.of(WindowNotation.windows(one.window)), WindowNotation.UTC);
    int count = Math.max(1, one.openings.size());

    assertThat(WindowNotation.format(windowSchedule.nextOpenings(count, WindowNotation.at(one.from))))
        .isEqualTo(one.openings);
  }

  record Case(String what, String window, String from, List<String> openings) {
    Case opens(String... expected) {
      return new Case(what, window, from, List.of(expected));
    }

    @Override
    public String toString() {
      return "%s: %s, asked %s".formatted(what, window, from);
    }
  }

  private static Case of(String what, String window, String from) {
    return new Case(what, window, from, List.of());
  }
}
