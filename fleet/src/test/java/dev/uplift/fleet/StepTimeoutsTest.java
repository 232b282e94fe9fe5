package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StepTimeoutsTest {
  private static final Duration LONGEST = Duration.ofHours(24);

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          # upgrade, rollout, release, server, in force
          3,         2,       1,       4,      3
          ,          2,       1,       4,      2
          ,          ,        1,       4,      1
          ,          ,        ,        4,      4
          30,        2,       1,       4,      24
          ,          ,        30,      4,      24
          # the server's own stays as it is
          ,          ,        ,        30,     30
          """)
  void theNearestOneCountsUpToTheBoundOfTheServer(
      Integer upgrade, Integer rollout, Integer release, int server, int inForce) {
    StepTimeouts asked = hours(upgrade).orElse(hours(rollout)).orElse(hours(release)).atMost(LONGEST);

    assertThat(asked.orElse(hours(server))).isEqualTo(hours(inForce));
  }

  @Test
  void eachStepIsTakenByItself() {
    StepTimeouts upgrade = new StepTimeouts(Map.of(Step.REBOOT, Duration.ofMinutes(40)));
    StepTimeouts release =
        new StepTimeouts(Map.of(Step.REBOOT, Duration.ofMinutes(20), Step.UPGRADE, Duration.ofHours(2)));

    assertThat(upgrade.orElse(release).byStep())
        .isEqualTo(Map.of(Step.REBOOT, Duration.ofMinutes(40), Step.UPGRADE, Duration.ofHours(2)));
    assertThat(release.longerThan(Duration.ofHours(1))).containsExactly(Step.UPGRADE);
  }

  @Test
  void aStepOfTheServersOwnIsRefused() {
    assertThatThrownBy(() -> new StepTimeouts(Map.of(Step.INSPECT, LONGEST)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("inspect");
  }

  private static StepTimeouts hours(Integer hours) {
    return hours == null ? StepTimeouts.NONE : new StepTimeouts(Map.of(Step.UPGRADE, Duration.ofHours(hours)));
  }
}
