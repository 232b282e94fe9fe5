package dev.uplift.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Workflow ids, subjects, tables and texts for people contain these words. Changing one would orphan data that was
/// written with it.
final class EnumWordsTest {
  @Test
  void valuesAreFormattedAsTheirNames() {
    assertThat(new HostId("till-1")).hasToString("till-1");
    assertThat(new DeviceId("acme", "site-7")).hasToString("acme/site-7");
    assertThat(new Release("os", "1.5.0")).hasToString("os 1.5.0");
    assertThat(new DeviceFacts.HostFacts(new HostId("till-1"), "1.4.0", false, Optional.empty(), Optional.empty()))
        .hasToString("1.4.0 on till-1");
  }

  @Test
  void stepsAreTheActionsOfTheProtocol() {
    assertThat(Step.values())
        .extracting(Step::toString)
        .containsExactly(
            "prepare",
            "await-host",
            "upgrade",
            "reboot",
            "await-successor",
            "stop",
            "await-heartbeat",
            "commit",
            "rollback",
            "halt",
            "resume",
            "inspect",
            "cancel");
  }

  @Test
  void onlyStepsOfAHostCanBeCancelled() {
    assertThat(Arrays.stream(Step.values()).filter(Step::canBeCancelled))
        .containsExactly(Step.PREPARE, Step.UPGRADE, Step.REBOOT, Step.STOP, Step.COMMIT, Step.ROLLBACK);
  }

  @Test
  void stepsShownByHeartbeats() {
    assertThat(Arrays.stream(Step.values()).filter(Step::isShownByHeartbeat))
        .containsExactly(Step.AWAIT_HOST, Step.AWAIT_SUCCESSOR, Step.AWAIT_HEARTBEAT);
  }

  @Test
  void phasesProgressAndOutcomesHaveTheirDocumentedWords() {
    assertThat(Phase.values())
        .extracting(Phase::toString)
        .containsExactly("check", "prepare", "wait", "upgrade", "rollback", "revert", "ended");
    assertThat(Progress.values())
        .extracting(Progress::toString)
        .containsExactly("unchanged", "changed", "upgraded", "rolled-back", "stranded");
    assertThat(Outcome.values())
        .extracting(Outcome::toString)
        .containsExactly(
            "no-action",
            "prepare-failed",
            "declined",
            "expired",
            "aborted",
            "upgraded",
            "rolled-back",
            "partial",
            "stranded");
  }
}
