package dev.uplift.temporaldev.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChaosRunnerTest {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void moreThanHalfAMinuteWithoutAnAnswerIsAProblem() {
    assertThat(ChaosRunner.standstillProblems(List.of(gap(1), gap(30)))).isEmpty();
    assertThat(ChaosRunner.standstillProblems(List.of(gap(1), gap(31))))
        .containsExactly("expected an answer to a read within 30 s, there was none for 31 s");
  }

  private static AvailabilityProbe.Gap gap(int seconds) {
    return new AvailabilityProbe.Gap(BEGIN, BEGIN.plus(Duration.ofSeconds(seconds)));
  }
}
