package dev.uplift.workflows.device.procedure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Summaries of timers are bounded, whatever a host says.
final class PendingWaitsTest {
  @Test
  void shortSummaryIsKept() {
    assertThat(PendingWaits.truncate("the soak of left")).isEqualTo("the soak of left");
    assertThat(PendingWaits.truncate("x".repeat(200))).hasSize(200).doesNotContain("…");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "ü", "€", "😀", "x😀"})
  void longSummaryIsCutTo200BytesAtAWholeCharacter(String character) {
    String cut = PendingWaits.truncate(character.repeat(1000));

    assertThat(cut.getBytes(UTF_8)).hasSizeBetween(190, 200);
    assertThat(cut).endsWith("…");
    assertThat(new String(cut.getBytes(UTF_8), UTF_8)).isEqualTo(cut);
  }
}
