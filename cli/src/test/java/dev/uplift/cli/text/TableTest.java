package dev.uplift.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCell() {
    Table table = new Table("DEVICE", "OUTCOME", "FIRST ERROR");
    table.addRow("kiosk", "upgraded", "");
    table.addRow("shop-hamburg", "rolled-back", "health:\nno price list");

    assertThat(table.lines())
        .containsExactly(
            "DEVICE        OUTCOME      FIRST ERROR",
            "kiosk         upgraded     -",
            "shop-hamburg  rolled-back  health: no price list");
  }

  @Test
  void aTimeIsSaidAsExactlyAsItMatters() {
    assertThat(TextFormat.formatDuration(Duration.ofMillis(340))).isEqualTo("0.3 s");
    assertThat(TextFormat.formatDuration(Duration.ofSeconds(72))).isEqualTo("72 s");
    assertThat(TextFormat.formatDuration(Duration.ofMinutes(9))).isEqualTo("9 min");
    assertThat(TextFormat.formatDuration(Duration.ofHours(30))).isEqualTo("30 h");
    assertThat(TextFormat.formatDuration(Duration.ofDays(3))).isEqualTo("3 d");
  }

  @Test
  void whatIsTooLongEndsInAnEllipsis() {
    assertThat(TextFormat.truncate("await-heartbeat", 8)).isEqualTo("await-h…");
    assertThat(TextFormat.truncate("commit", 6)).isEqualTo("commit");
  }
}
