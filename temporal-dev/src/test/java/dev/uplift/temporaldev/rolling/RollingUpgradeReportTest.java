package dev.uplift.temporaldev.rolling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.rolling.RollingUpgradeReport.Replacement;
import dev.uplift.temporaldev.stack.StackProcess.Stop;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RollingUpgradeReportTest {
  private static final Stop QUICK = new Stop(Duration.ofSeconds(10), false);

  @Test
  void aServerThatHadToBeKilledIsAProblem() {
    assertThat(replaced(3, QUICK).problems()).isEmpty();
    assertThat(replaced(3, new Stop(Duration.ofSeconds(15), true)).problems())
        .containsExactly("server-2 did not end within 15.0 s of SIGTERM and was killed");
  }

  @Test
  void howAServerOfTheEarlierBuildEndsIsShownAndNoProblem() {
    var killed = new Replacement("server-2", true, 3, new Stop(Duration.ofSeconds(15), true), Duration.ofSeconds(25));

    assertThat(killed.problems()).isEmpty();
  }

  @Test
  void aReplacementDuringWhichNothingRanProvesNothing() {
    assertThat(replaced(0, QUICK).problems()).containsExactly("nothing was in progress when server-2 was replaced");
  }

  @Test
  void theReportSaysHowLongEachServerTookToEnd() {
    var report =
        new RollingUpgradeReport(
            new RollingUpgradeOptions(40, 2, 20, 2),
            "v1",
            List.of(replaced(3, new Stop(Duration.ofSeconds(15), true))),
            0,
            Duration.ofMinutes(2),
            List.of());

    assertThat(report.lines()).anySatisfy(line -> assertThat(line).contains("server-2", "15.0 s, killed", "25.0 s"));
    assertThat(report.toJson().at("/replacements/0/stop_ms").asLong()).isEqualTo(15_000);
    assertThat(report.toJson().at("/replacements/0/killed").asBoolean()).isTrue();
  }

  private static Replacement replaced(int inProgress, Stop stop) {
    return new Replacement("server-2", false, inProgress, stop, Duration.ofSeconds(25));
  }
}
