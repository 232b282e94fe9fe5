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

/// One window, Monday to Wednesday, 02:00 to 06:00 UTC; 16 June 2025 is a Monday. The device `gate` is at 0.34918 of
/// any spread, because the SHA-256 of `acme/gate` begins with 59644cb778f7ec2e.
final class PlannedStartTest {
  private static final DeviceId GATE = new DeviceId("acme", "gate");
  private static final WindowSchedule NIGHTS =
      new WindowSchedule(List.of(WindowNotation.windows("mon,tue,wed 02:00 4h UTC")), WindowNotation.UTC);
  private static final WindowSchedule ALWAYS = WindowSchedule.none(WindowNotation.UTC);
  private static final Instant SUNDAY = WindowNotation.at("2025-06-15");
  private static final Instant LATE = WindowNotation.at("2025-07-01");

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
          of("deadline just after", "2025-06-13").by("2025-06-16T02:00:01Z").starts("2025-06-16T02:00:00Z"),
          of("deadline now", "2025-06-16T03:00:00Z").by("2025-06-16T03:00:00Z").starts("NO_OPENING"),
          of("it may end past the deadline", "2025-06-16T02:00:00Z")
              .need("4h")
              .by("2025-06-16T03:00:00Z")
              .starts("2025-06-16T02:00:00Z"),
          of("too little, and no more nights", "2025-06-16T05:30:00Z")
              .need("1h")
              .by("2025-06-17T02:00:00Z")
              .starts("TOO_SHORT"),
          of("spread over an hour", "2025-06-15").spread("1h").starts("2025-06-16T02:20:57Z"),
          of("spread over the time that leaves enough", "2025-06-15")
              .spread("7d")
              .need("1h")
              .starts("2025-06-16T03:02:51Z"),
          of("spread over the time before the deadline", "2025-06-15")
              .spread("4h")
              .by("2025-06-16T02:30:00Z")
              .starts("2025-06-16T02:10:28Z"),
          of("no spread, because all is needed", "2025-06-15").spread("1h").need("4h").starts("2025-06-16T02:00:00Z"),
          of("before its moment", "2025-06-16T02:20:00Z").spread("1h").starts("2025-06-16T02:20:57Z"),
          of("past its moment", "2025-06-16T02:21:00Z").spread("1h").starts("2025-06-16T02:21:00Z"),
          of("the same moment every night", "2025-06-16T06:00:00Z").spread("1h").starts("2025-06-17T02:20:57Z"));

  @ParameterizedTest
  @FieldSource("CASES")
  void aDeviceStartsIfEnoughTimeIsLeft(Case one) {
    assertThat(said(NIGHTS.planStart(GATE, one.earliest, one.wanted))).isEqualTo(one.expected);
  }

  @Test
  void theAnswerIsTheSameUntilTheStart() {
    var startRequirements = new StartRequirements(Duration.ofHours(1), Duration.ofHours(2), LATE);
    for (int device = 0; device < 200; device++) {
      DeviceId id = new DeviceId("acme", "d" + device);
      PlannedStart.At start = at(NIGHTS.planStart(id, SUNDAY, startRequirements));

      for (Duration sooner : List.of(Duration.ofDays(1), Duration.ofMinutes(7), Duration.ZERO)) {
        Instant again = start.instant().minus(sooner);
        assertThat(NIGHTS.planStart(id, again, startRequirements)).isEqualTo(start);
      }
    }
  }

  @Test
  void manyDevicesAreSpreadEvenly() {
    var startRequirements = new StartRequirements(Duration.ZERO, Duration.ofMinutes(10), LATE);

    Map<Long, Long> perMinute =
        IntStream.range(0, 10_000)
            .mapToObj(device -> new DeviceId("acme", "site-" + device))
            .map(device -> at(NIGHTS.planStart(device, SUNDAY, startRequirements)))
            .map(start -> Duration.between(start.opening().opens().orElseThrow(), start.instant()))
            .collect(Collectors.groupingBy(Duration::toMinutes, Collectors.counting()));

    assertThat(perMinute.keySet()).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    assertThat(perMinute.values()).allMatch(devices -> devices > 900 && devices < 1100);
  }

  @Test
  void devicesOfTheSameNameInTwoTenantsDiffer() {
    var startRequirements = new StartRequirements(Duration.ZERO, Duration.ofHours(1), LATE);

    assertThat(NIGHTS.planStart(GATE, SUNDAY, startRequirements))
        .isNotEqualTo(NIGHTS.planStart(new DeviceId("bolt", "gate"), SUNDAY, startRequirements));
  }

  @Test
  void withoutWindowsItStartsAtOnce() {
    var startRequirements = new StartRequirements(Duration.ofDays(3), Duration.ofHours(1), LATE);

    assertThat(said(ALWAYS.planStart(GATE, SUNDAY, startRequirements))).isEqualTo(SUNDAY.toString());
  }

  @Test
  void tooShortAnOpeningIsSkipped() {
    var windowSchedule =
        new WindowSchedule(List.of(WindowNotation.windows("mon 02:00 1h UTC", "tue 02:00 3h UTC")), WindowNotation.UTC);
    var startRequirements = new StartRequirements(Duration.ofHours(2), Duration.ZERO, LATE);

    assertThat(said(windowSchedule.planStart(GATE, SUNDAY, startRequirements))).isEqualTo("2025-06-17T02:00:00Z");
  }

  @Test
  void theReasonOfNoStartIsDescribed() {
    var tooMuch = new StartRequirements(Duration.ofHours(5), Duration.ZERO, WindowNotation.at("2025-06-19"));
    var tooSoon = new StartRequirements(Duration.ofHours(1), Duration.ZERO, WindowNotation.at("2025-06-16"));

    assertThat(NIGHTS.planStart(GATE, SUNDAY, tooMuch))
        .isEqualTo(
            new PlannedStart.Never(
                PlannedStart.Cause.TOO_SHORT, "no opening before 2025-06-19T00:00:00Z has 5h left for the upgrade"));
    assertThat(NIGHTS.planStart(GATE, SUNDAY, tooSoon))
        .isEqualTo(
            new PlannedStart.Never(
                PlannedStart.Cause.NO_OPENING, "not open from 2025-06-15T00:00:00Z to 2025-06-16T00:00:00Z"));
  }

  @Test
  void impossibleRequirementsAreRejected() {
    assertThatThrownBy(() -> new StartRequirements(Duration.ofHours(-1), Duration.ZERO, LATE))
        .hasMessage("expected a need of no time or more, found PT-1H");
    assertThatThrownBy(() -> new StartRequirements(Duration.ZERO, Duration.ofDays(8), LATE))
        .hasMessage("expected a spread from nothing to 7d, found PT192H");
    assertThatThrownBy(() -> new StartRequirements(Duration.ZERO, Duration.ofHours(-1), LATE))
        .hasMessageStartingWith("expected a spread");
  }

  /// A planned start of [#GATE] in [#NIGHTS].
  record Case(String what, Instant earliest, StartRequirements wanted, String expected) {
    Case need(String text) {
      return with(old -> new StartRequirements(duration(text), old.spread(), old.deadline()));
    }

    Case spread(String text) {
      return with(old -> new StartRequirements(old.requiredTime(), duration(text), old.deadline()));
    }

    Case by(String deadline) {
      return with(old -> new StartRequirements(old.requiredTime(), old.spread(), Instant.parse(deadline)));
    }

    Case starts(String expectedThen) {
      return new Case(what, earliest, wanted, expectedThen);
    }

    private Case with(Function<StartRequirements, StartRequirements> change) {
      return new Case(what, earliest, change.apply(wanted), expected);
    }

    @Override
    public String toString() {
      return "%s: asked %s, %s".formatted(what, earliest, wanted);
    }
  }

  private static Case of(String what, String earliest) {
    return new Case(what, WindowNotation.at(earliest), new StartRequirements(Duration.ZERO, Duration.ZERO, LATE), "");
  }

  private static Duration duration(String text) {
    return WindowFields.duration(text);
  }

  private static String said(PlannedStart plannedStart) {
    return switch (plannedStart) {
      case PlannedStart.At(Instant instant, WindowOpening _) -> instant.toString();
      case PlannedStart.Never(PlannedStart.Cause cause, String _) -> cause.name();
    };
  }

  private static PlannedStart.At at(PlannedStart plannedStart) {
    assertThat(plannedStart).isInstanceOf(PlannedStart.At.class);
    return (PlannedStart.At) plannedStart;
  }
}
