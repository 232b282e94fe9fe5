package dev.uplift.fleet.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Several windows of one device. 15 June 2025 is a Sunday; Berlin is at +02 then.
final class WindowScheduleTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  static final List<Case> CASES =
      List.of(
          of("no window").opens("../.."),
          of("one level has none", "", "mon 02:00 4h UTC").opens("2025-06-16T02:00Z/2025-06-16T06:00Z"),
          of("several in one level", "mon 02:00 1h UTC; mon 20:00 1h UTC")
              .opens("2025-06-16T02:00Z/2025-06-16T03:00Z", "2025-06-16T20:00Z/2025-06-16T21:00Z"),
          of("they overlap", "mon 02:00 2h UTC; mon 03:00 2h UTC").opens("2025-06-16T02:00Z/2025-06-16T05:00Z"),
          of("one within the other", "mon 02:00 6h UTC; mon 03:00 1h UTC").opens("2025-06-16T02:00Z/2025-06-16T08:00Z"),
          of("they touch", "mon 02:00 1h UTC; mon 03:00 1h UTC").opens("2025-06-16T02:00Z/2025-06-16T04:00Z"),
          of("they touch from two zones", "mon 02:00 1h UTC; mon 05:00 1h Europe/Berlin")
              .opens("2025-06-16T02:00Z/2025-06-16T04:00Z"),
          of("a minute between", "mon 02:00 1h UTC; mon 03:01 1h UTC")
              .opens("2025-06-16T02:00Z/2025-06-16T03:00Z", "2025-06-16T03:01Z/2025-06-16T04:01Z"),
          of("a blackout in one of them", "mon 02:00 2h UTC 2025-06-16; mon 03:00 2h UTC")
              .opens("2025-06-16T03:00Z/2025-06-16T05:00Z"),
          of("device and rollout", "mon 02:00 4h UTC", "daily 04:00 4h UTC")
              .opens("2025-06-16T04:00Z/2025-06-16T06:00Z"),
          of("device and rollout only touch", "mon 02:00 2h UTC", "mon 04:00 2h UTC").opens(),
          of("device, label and rollout", "mon 02:00 4h site-local", "mon,tue 00:00 3h UTC", "daily 00:30 12h UTC")
              .opens("2025-06-16T00:30Z/2025-06-16T03:00Z", "2025-06-23T00:30Z/2025-06-23T03:00Z"),
          of("twice in one night", "mon 20:00 8h UTC", "daily 21:00 1h UTC; daily 23:30 1h UTC; daily 03:30 2h UTC")
              .opens(
                  "2025-06-16T21:00Z/2025-06-16T22:00Z",
                  "2025-06-16T23:30Z/2025-06-17T00:30Z",
                  "2025-06-17T03:30Z/2025-06-17T04:00Z"),
          of("a weekend restricted to its nights", "fri 18:00 60h UTC", "daily 22:00 4h UTC")
              .opens(
                  "2025-06-14T22:00Z/2025-06-15T02:00Z",
                  "2025-06-15T22:00Z/2025-06-16T02:00Z",
                  "2025-06-20T22:00Z/2025-06-21T02:00Z"),
          of("a freeze of the rollout", "daily 02:00 1h UTC", "daily 00:00 24h UTC 2025-06-15/2025-06-30")
              .opens("2025-07-01T02:00Z/2025-07-01T03:00Z"));

  @ParameterizedTest
  @FieldSource("CASES")
  void aDeviceIsOpenWhenAllLevelsAre(Case one) {
    int count = Math.max(1, one.openings.size());

    assertThat(WindowNotation.format(windows(one.levels).nextOpenings(count, WindowNotation.at("2025-06-15"))))
        .isEqualTo(one.openings);
  }

  @Test
  void aSiteLocalWindowOpensAtEachSitesOwnTime() {
    List<List<Window>> levels = List.of(WindowNotation.windows("mon 02:00 1h site-local"));

    assertThat(
            List.of("Asia/Tokyo", "Europe/Berlin", "America/New_York").stream()
                .map(zone -> new WindowSchedule(levels, ZoneId.of(zone)))
                .map(windowSchedule -> windowSchedule.nextOpenings(1, WindowNotation.at("2025-06-15")))
                .map(WindowNotation::format))
        .containsExactly(
            List.of("2025-06-15T17:00Z/2025-06-15T18:00Z"),
            List.of("2025-06-16T00:00Z/2025-06-16T01:00Z"),
            List.of("2025-06-16T06:00Z/2025-06-16T07:00Z"));
  }

  @Test
  void anotherLevelRestrictsTheOpenings() {
    WindowSchedule device = WindowSchedule.none(BERLIN).withLevel(WindowNotation.windows("mon 02:00 4h UTC"));

    assertThat(device.withLevel(List.of()).nextOpenings(3, WindowNotation.at("2025-06-15")))
        .isEqualTo(device.nextOpenings(3, WindowNotation.at("2025-06-15")));
    assertThat(
            WindowNotation.format(
                device
                    .withLevel(WindowNotation.windows("daily 05:00 8h UTC"))
                    .nextOpenings(1, WindowNotation.at("2025-06-15"))))
        .containsExactly("2025-06-16T05:00Z/2025-06-16T06:00Z");
  }

  @Test
  void anOpenStateHasItsEnd() {
    WindowSchedule windowSchedule = windows(List.of("mon 02:00 4h UTC"));

    assertThat(windowSchedule.stateAt(WindowNotation.at("2025-06-16T02:00Z")))
        .isInstanceOfSatisfying(
            WindowState.Open.class,
            open ->
                assertThat(open.opening().remaining(WindowNotation.at("2025-06-16T05:30Z")))
                    .contains(Duration.ofMinutes(30)));
    assertThat(windowSchedule.stateAt(WindowNotation.at("2025-06-16T05:59:59.999Z")))
        .isInstanceOf(WindowState.Open.class);
    assertThat(windowSchedule.stateAt(WindowNotation.at("2025-06-16T01:59:59.999Z")))
        .isInstanceOf(WindowState.Closed.class);
    assertThat(windowSchedule.stateAt(WindowNotation.at("2025-06-16T06:00Z"))).isInstanceOf(WindowState.Closed.class);
  }

  @Test
  void aClosedStateHasTheNextOpeningIfAny() {
    assertThat(windows(List.of("mon 02:00 4h UTC")).stateAt(WindowNotation.at("2025-06-16T06:00Z")))
        .hasToString(
            "closed; opens next: Mon 2025-06-23 04:00+02:00 to Mon 2025-06-23 08:00+02:00"
                + " Europe/Berlin, 2025-06-23T02:00:00Z to 2025-06-23T06:00:00Z");
    assertThat(
            windows(List.of("mon 02:00 4h UTC 2025-01-01/2030-01-01")).stateAt(WindowNotation.at("2025-06-16T06:00Z")))
        .hasToString("closed; does not open within 400 days");
  }

  @Test
  void aDeviceWithoutWindowsIsAlwaysOpen() {
    WindowState windowState = WindowSchedule.none(BERLIN).stateAt(WindowNotation.at("2025-06-16"));

    assertThat(windowState).hasToString("open: always open");
    assertThat(windowState)
        .isInstanceOfSatisfying(
            WindowState.Open.class,
            open -> assertThat(open.opening().remaining(WindowNotation.at("2025-06-16"))).isEmpty());
  }

  @Test
  void anOpeningIsFormattedInSiteTimeEvenWhenClocksGoBack() {
    WindowOpening opening =
        windows(List.of("sun 02:30 1h site-local")).nextOpenings(1, WindowNotation.at("2025-10-25")).getFirst();

    assertThat(opening.localOpens()).contains(OffsetDateTime.parse("2025-10-26T02:30+02:00"));
    assertThat(opening.localCloses()).contains(OffsetDateTime.parse("2025-10-26T02:30+01:00"));
  }

  @Test
  void aLongOpeningIsFormattedWithItsKnownEnd() {
    var until =
        new WindowOpening(Optional.empty(), Optional.of(WindowNotation.at("2025-06-16T02:00Z")), WindowNotation.UTC);
    var on =
        new WindowOpening(Optional.of(WindowNotation.at("2025-06-16T02:00Z")), Optional.empty(), WindowNotation.UTC);

    assertThat(until).hasToString("open until Mon 2025-06-16 02:00+00:00 UTC, open until 2025-06-16T02:00:00Z");
    assertThat(on).hasToString("Mon 2025-06-16 02:00+00:00 on UTC, 2025-06-16T02:00:00Z on");
  }

  record Case(String what, List<String> levels, List<String> openings) {
    Case opens(String... expected) {
      return new Case(what, levels, List.of(expected));
    }

    @Override
    public String toString() {
      return what + ": " + levels;
    }
  }

  private static Case of(String what, String... levels) {
    return new Case(what, List.of(levels), List.of());
  }

  /// Parses one level per text, with semicolons between windows.
  private static WindowSchedule windows(List<String> levels) {
    return new WindowSchedule(
        levels.stream()
            .map(level -> level.isEmpty() ? new String[0] : level.split("; "))
            .map(texts -> Arrays.stream(texts).map(WindowNotation::window).toList())
            .toList(),
        BERLIN);
  }
}
