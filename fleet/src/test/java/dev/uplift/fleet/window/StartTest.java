package dev.uplift.fleet.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// One window, Monday to Wednesday, 02:00 to 06:00 UTC; 16 June 2025 is a Monday. The device `gate`
/// stands at 0.34918 of any spread: the SHA-256 of `acme/gate` begins with 59644cb778f7ec2e.
final class StartTest {
  private static final DeviceId GATE = new DeviceId("acme", "gate");
  private static final Windows NIGHTS =
      new Windows(List.of(Written.windows("mon,tue,wed 02:00 4h UTC")), Written.UTC);
  private static final Windows ALWAYS = Windows.none(Written.UTC);
  private static final Instant SUNDAY = Written.at("2025-06-15");
  private static final Instant LATE = Written.at("2025-07-01");

  static final List<Case> CASES =
      List.of(
          of("before it opens", "2025-06-15").starts("2025-06-16T02:00:00Z"),
          of("as it opens", "2025-06-16T02:00:00Z").starts("2025-06-16T02:00:00Z"),
          of("while it is open", "2025-06-16T03:10:20.500Z").starts("2025-06-16T03:10:20.500Z"),
          of("as it closes", "2025-06-16T06:00:00Z").starts("2025-06-17T02:00:00Z"),
          of("enough is left", "2025-06-16T05:00:00Z").need("1h").starts("2025-06-16T05:00:00Z"),
          of("too little", "2025-06-16T05:00:00.001Z").need("1h").starts("2025-06-17T02:00:00Z"),
          of("all is needed", "2025-06-15").need("4h").starts("2025-06-16T02:00:00Z"),
          of("more is needed", "2025-06-15").need("4h1m").starts("TOO_SHORT"),
          of("deadline before", "2025-06-13").by("2025-06-16T01:00:00Z").starts("NO_OPENING"),
          of("deadline as it opens", "2025-06-13").by("2025-06-16T02:00:00Z").starts("NO_OPENING"),
          of("and just after", "2025-06-13")
              .by("2025-06-16T02:00:01Z")
              .starts("2025-06-16T02:00:00Z"),
          of("deadline now", "2025-06-16T03:00:00Z")
              .by("2025-06-16T03:00:00Z")
              .starts("NO_OPENING"),
          of("it goes on past the deadline", "2025-06-16T02:00:00Z")
              .need("4h")
              .by("2025-06-16T03:00:00Z")
              .starts("2025-06-16T02:00:00Z"),
          of("too little, and no more nights", "2025-06-16T05:30:00Z")
              .need("1h")
              .by("2025-06-17T02:00:00Z")
              .starts("TOO_SHORT"),
          of("spread over an hour", "2025-06-15").spread("1h").starts("2025-06-16T02:20:57Z"),
          of("over as much as leaves enough", "2025-06-15")
              .spread("7d")
              .need("1h")
              .starts("2025-06-16T03:02:51Z"),
          of("over what is before the deadline", "2025-06-15")
              .spread("4h")
              .by("2025-06-16T02:30:00Z")
              .starts("2025-06-16T02:10:28Z"),
          of("over nothing, for all is needed", "2025-06-15")
              .spread("1h")
              .need("4h")
              .starts("2025-06-16T02:00:00Z"),
          of("before its moment", "2025-06-16T02:20:00Z")
              .spread("1h")
              .starts("2025-06-16T02:20:57Z"),
          of("past its moment", "2025-06-16T02:21:00Z").spread("1h").starts("2025-06-16T02:21:00Z"),
          of("the same moment every night", "2025-06-16T06:00:00Z")
              .spread("1h")
              .starts("2025-06-17T02:20:57Z"));

  @ParameterizedTest
  @FieldSource("CASES")
  void aDeviceStartsWhenEnoughIsLeft(Case one) {
    assertThat(said(NIGHTS.start(GATE, one.earliest, one.wanted))).isEqualTo(one.expected);
  }

  @Test
  void askedAgainBeforeItStartsTheAnswerIsTheSame() {
    var wanted = new Wanted(Duration.ofHours(1), Duration.ofHours(2), LATE);
    for (int device = 0; device < 200; device++) {
      DeviceId id = new DeviceId("acme", "d" + device);
      Start.At start = at(NIGHTS.start(id, SUNDAY, wanted));

      for (Duration sooner : List.of(Duration.ofDays(1), Duration.ofMinutes(7), Duration.ZERO)) {
        Instant again = start.instant().minus(sooner);
        assertThat(NIGHTS.start(id, again, wanted)).isEqualTo(start);
      }
    }
  }

  @Test
  void manyDevicesAreSpreadEvenly() {
    var wanted = new Wanted(Duration.ZERO, Duration.ofMinutes(10), LATE);

    Map<Long, Long> perMinute =
        IntStream.range(0, 10_000)
            .mapToObj(device -> new DeviceId("acme", "site-" + device))
            .map(device -> at(NIGHTS.start(device, SUNDAY, wanted)))
            .map(start -> Duration.between(start.in().opens().orElseThrow(), start.instant()))
            .collect(Collectors.groupingBy(Duration::toMinutes, Collectors.counting()));

    assertThat(perMinute.keySet())
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(perMinute.values()).allMatch(devices -> devices > 900 && devices < 1100);
  }

  @Test
  void devicesOfOneNameInTwoTenantsHaveMomentsOfTheirOwn() {
    var wanted = new Wanted(Duration.ZERO, Duration.ofHours(1), LATE);

    assertThat(NIGHTS.start(GATE, SUNDAY, wanted))
        .isNotEqualTo(NIGHTS.start(new DeviceId("bolt", "gate"), SUNDAY, wanted));
  }

  @Test
  void withoutWindowsItStartsAtOnce() {
    var wanted = new Wanted(Duration.ofDays(3), Duration.ofHours(1), LATE);

    assertThat(said(ALWAYS.start(GATE, SUNDAY, wanted))).isEqualTo(SUNDAY.toString());
  }

  @Test
  void aShortOpeningIsPassedOverForALongOne() {
    var windows =
        new Windows(List.of(Written.windows("mon 02:00 1h UTC", "tue 02:00 3h UTC")), Written.UTC);
    var wanted = new Wanted(Duration.ofHours(2), Duration.ZERO, LATE);

    assertThat(said(windows.start(GATE, SUNDAY, wanted))).isEqualTo("2025-06-17T02:00:00Z");
  }

  @Test
  void whyItCannotStartIsSaidInWords() {
    var tooMuch = new Wanted(Duration.ofHours(5), Duration.ZERO, Written.at("2025-06-19"));
    var tooSoon = new Wanted(Duration.ofHours(1), Duration.ZERO, Written.at("2025-06-16"));

    assertThat(NIGHTS.start(GATE, SUNDAY, tooMuch))
        .isEqualTo(
            new Start.Never(
                Start.Why.TOO_SHORT,
                "no opening before 2025-06-19T00:00:00Z has 5h left for the upgrade"));
    assertThat(NIGHTS.start(GATE, SUNDAY, tooSoon))
        .isEqualTo(
            new Start.Never(
                Start.Why.NO_OPENING,
                "not open from 2025-06-15T00:00:00Z to 2025-06-16T00:00:00Z"));
  }

  @Test
  void aWishThatCannotBeMeantIsRefused() {
    assertThatThrownBy(() -> new Wanted(Duration.ofHours(-1), Duration.ZERO, LATE))
        .hasMessage("expected a need of no time or more, found PT-1H");
    assertThatThrownBy(() -> new Wanted(Duration.ZERO, Duration.ofDays(8), LATE))
        .hasMessage("expected a spread from nothing to 7d, found PT192H");
    assertThatThrownBy(() -> new Wanted(Duration.ZERO, Duration.ofHours(-1), LATE))
        .hasMessageStartingWith("expected a spread");
  }

  /// Of one question about [#GATE] in [#NIGHTS].
  record Case(String what, Instant earliest, Wanted wanted, String expected) {
    Case need(String text) {
      return with(old -> new Wanted(duration(text), old.spread(), old.deadline()));
    }

    Case spread(String text) {
      return with(old -> new Wanted(old.need(), duration(text), old.deadline()));
    }

    Case by(String deadline) {
      return with(old -> new Wanted(old.need(), old.spread(), Instant.parse(deadline)));
    }

    Case starts(String expectedThen) {
      return new Case(what, earliest, wanted, expectedThen);
    }

    private Case with(Function<Wanted, Wanted> change) {
      return new Case(what, earliest, change.apply(wanted), expected);
    }

    @Override
    public String toString() {
      return "%s: asked %s, %s".formatted(what, earliest, wanted);
    }
  }

  private static Case of(String what, String earliest) {
    return new Case(what, Written.at(earliest), new Wanted(Duration.ZERO, Duration.ZERO, LATE), "");
  }

  private static Duration duration(String text) {
    return WindowFields.duration(text);
  }

  private static String said(Start start) {
    return switch (start) {
      case Start.At(Instant instant, Opening _) -> instant.toString();
      case Start.Never(Start.Why why, String _) -> why.name();
    };
  }

  private static Start.At at(Start start) {
    assertThat(start).isInstanceOf(Start.At.class);
    return (Start.At) start;
  }
}
