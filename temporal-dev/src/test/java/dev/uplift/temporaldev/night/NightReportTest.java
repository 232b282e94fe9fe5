package dev.uplift.temporaldev.night;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NightReportTest {
  @Test
  void aNightAsExpectedHasNoProblems() {
    NightReport report = report(Map.of("a", "upgraded", "b", "offline"), Map.of("a", "upgraded", "b", "offline"));

    assertThat(report.problems()).isEmpty();
    assertThat(report.lines())
        .containsExactly(
            "OUTCOME   EXPECTED  FOUND",
            "offline   1         1",
            "upgraded  1         1",
            "",
            "seed 5: all 2 devices are as expected, after 90 s");
  }

  /// Two devices that swap their outcomes leave the sums as they are.
  @Test
  void tablesAreComparedDeviceByDeviceAndBothWays() {
    NightReport report =
        report(
            Map.of("a", "upgraded", "b", "offline", "c", "upgraded"),
            Map.of("a", "offline", "b", "upgraded", "d", "upgraded"),
            "the rollout paused: why");

    assertThat(report.problems())
        .containsExactly(
            "a: expected upgraded, found offline",
            "b: expected offline, found upgraded",
            "c: expected upgraded, found missing",
            "d: expected missing, found upgraded",
            "the rollout paused: why");
    assertThat(report.lines()).last().isEqualTo("seed 5: 5 problems");
    assertThat(report.toJson().path("problems").size()).isEqualTo(5);
  }

  private static NightReport report(Map<String, String> expected, Map<String, String> found, String... violations) {
    return new NightReport(
        5, new TreeMap<>(expected), new TreeMap<>(found), List.of(violations), Duration.ofSeconds(90));
  }
}
