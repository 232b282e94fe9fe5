package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static dev.uplift.workflows.device.FakeFleet.powersOff;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.RollbackScope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The rollback after a host was changed.
final class RollbackTest extends DeviceUpgradeScenario {
  @Test
  void failedUpgradeIsRolledBackLastHostFirst() {
    fleet.on("upgrade middle", fails(FINAL, "bad-image"));

    UpgradeResult result = upgrade("left", "middle", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("bad-image");
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.4.0", MIDDLE, "1.4.0", RIGHT, "1.4.0"));
    assertThat(fleet.log())
        .containsSubsequence(
            "upgrade middle",
            "inspect middle",
            "rollback middle",
            "await-heartbeat middle",
            "inspect left",
            "rollback left",
            "await-heartbeat left",
            "rollback right")
        .doesNotContain("upgrade right", "inspect right");
    keepHistoryOf(result);
  }

  @Test
  void failureAsAResultHasTheSameEffect() {
    fleet.returnFailures();
    fleet.on("upgrade middle", fails(FINAL, "bad-image"));

    UpgradeResult result = upgrade("left", "middle", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("bad-image");
    assertThat(fleet.log()).contains("rollback middle").doesNotContain("upgrade right");
    keepHistoryAs("rolled-back-failure-as-result");
  }

  @Test
  void withRollbackScopeHostOnlyTheFailedHostIsRolledBack() {
    rollbackScope = RollbackScope.HOST;
    fleet.on("await-heartbeat right", failsOnTheWayForward());

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.4.0"));
    assertThat(fleet.log()).contains("rollback right").doesNotContain("rollback left");
    keepHistoryOf(result);
  }

  @Test
  void withRollbackScopeNoneNoHostIsRolledBack() {
    rollbackScope = RollbackScope.NONE;
    fleet.on("await-heartbeat right", failsOnTheWayForward());

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.5.0"));
    assertThat(fleet.log()).contains("inspect right").doesNotContain("rollback right");
  }

  @Test
  void rollbackEndsLikeAnUpgradeWithARebootAndAHeartbeat() {
    fleet.host("left").needsReboot();
    fleet.on("commit left", fails(FINAL, "read-only"));
    fleet.host("left").goesOnTrial();

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(fleet.log())
        .endsWith("commit left", "inspect left", "rollback left", "reboot left", "await-heartbeat left");
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }

  @Test
  void hostThatFailsToRollBackIsStrandedAndTheOthersAreRolledBack() {
    fleet.on("upgrade right", fails(FINAL, "bad-image"));
    fleet.during("upgrade right", () -> fleet.host("right").setVersion("broken"));
    fleet.on("rollback right", fails(FINAL, "no-way-back"));

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(result.reason().orElseThrow().code()).as("the first error").isEqualTo("bad-image");
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "broken"));
    assertThat(fleet.log())
        .containsSubsequence("rollback right", "inspect left", "rollback left")
        .endsWith("await-heartbeat left");
    keepHistoryOf(result);
  }

  @Test
  void silentHostsShareOneTimeLimitForTheRollback() {
    fleet.on("upgrade right", fails(FINAL, "bad-image"));
    for (String host : List.of("left", "middle", "right")) {
      fleet.on("rollback " + host, powersOff());
    }

    UpgradeResult result = upgrade("left", "middle", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(fleet.log()).containsSubsequence("rollback right", "rollback middle", "rollback left");
    assertThat(lasted()).isLessThan(Duration.ofHours(4));
  }

  @Test
  void hostsOnBothSidesOfAStrandedOneAreRolledBack() {
    fleet.on("upgrade right", fails(FINAL, "bad-image"));
    fleet.on("rollback middle", fails(FINAL, "no-way-back"));

    UpgradeResult result = upgrade("left", "middle", "right");

    assertThat(result.hosts())
        .extracting(HostReport::progress)
        .containsExactly(Progress.ROLLED_BACK, Progress.STRANDED, Progress.ROLLED_BACK);
    assertThat(result.hosts().get(1).reason().orElseThrow().code()).isEqualTo("no-way-back");
  }

  @Test
  void hostThatDoesNotDiscardItsStagedVersionIsNotAwaitedForLong() {
    fleet.on("upgrade left", fails(FINAL, "bad-image"));
    fleet.on("rollback right", isSilent());

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(fleet.log()).endsWith("rollback right");
  }

  @Test
  void skippedHostStaysWhenTheOthersAreRolledBack() {
    fleet.on("upgrade left", fails(NEEDS_PERSON, "disk-full"));
    fleet.on("upgrade right", fails(FINAL, "bad-image"));
    after(Duration.ofHours(1), () -> running().skipHost(LEFT, ANN));

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("bad-image");
    assertThat(fleet.log()).contains("rollback right").doesNotContain("rollback left");
  }

  private static FakeFleet.ScriptedAnswer failsOnTheWayForward() {
    return (stepRequest, host) ->
        stepRequest.targetVersion().equals("1.5.0")
            ? fails(FINAL, "version-mismatch").answer(stepRequest, host)
            : host.execute(stepRequest);
  }
}
