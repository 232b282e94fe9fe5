package dev.uplift.services.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClockComparisonTest {
  private static final Instant BEFORE = Instant.parse("2026-11-25T12:00:00Z");
  private static final Instant AFTER = Instant.parse("2026-11-25T12:00:10Z");

  @ParameterizedTest
  @CsvSource({
    "12:00:00, OK, its clock agrees with that of this server",
    "12:00:05, OK, its clock agrees with that of this server",
    "12:00:12, OK, its clock agrees with that of this server",
    "12:00:13, WARNING, its clock is 3 s ahead of that of this server",
    "11:59:57, WARNING, its clock is 3 s behind that of this server",
    "12:01:10, WARNING, its clock is 60 s ahead of that of this server",
    "12:01:11, CRITICAL, its clock is 61 s ahead of that of this server",
    "10:00:00, CRITICAL, its clock is 7200 s behind that of this server",
  })
  void aClockMayDifferByTwoSecondsBeyondTheTimeThatItTookToReadIt(
      String other, DiagnosisFinding.Severity severity, String text) {
    DiagnosisFinding finding = ClockComparison.judge("nats", BEFORE, Instant.parse("2026-11-25T" + other + "Z"), AFTER);

    assertThat(finding.severity()).isEqualTo(severity);
    assertThat(finding.text()).isEqualTo(text);
    assertThat(finding.advice().isEmpty()).isEqualTo(severity == DiagnosisFinding.Severity.OK);
  }
}
