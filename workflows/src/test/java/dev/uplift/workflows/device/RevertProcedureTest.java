package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.DECLINED;
import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.failsAtFirst;
import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static dev.uplift.workflows.device.FakeFleet.powersOff;
import static dev.uplift.workflows.device.FakeFleet.succeedsWithoutAnswer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Reverts of finished upgrades.
final class RevertProcedureTest extends DeviceUpgradeScenario {
  @Test
  void revertsHostByHostTheLastOneFirst() {
    fleet.host("right").needsReboot();

    UpgradeResult result = revert("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason()).isEmpty();
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "1.4.0"));
    assertThat(fleet.log().subList(0, 2)).containsExactlyInAnyOrder("inspect left", "inspect right");
    assertThat(fleet.log().subList(2, fleet.log().size()))
        .containsExactly(
            "rollback right", "reboot right", "await-heartbeat right", "rollback left", "await-heartbeat left");
    assertThat(records.results()).containsExactly(result);
    keepHistoryOfRevert(result);
  }

  @Test
  void historyOfOneHostIsShort() {
    revert("left");

    assertThat(history().getEvents()).hasSizeLessThanOrEqualTo(28);
  }

  @Test
  void deviceThatRunsTheOldVersionAlreadyNeedsNoAction() {
    UpgradePlan plan = revertPlan("left");
    records.runs("left", "1.4.0");

    UpgradeResult result = run(plan);

    assertThat(result.outcome()).isEqualTo(Outcome.NO_ACTION);
    assertThat(fleet.log()).isEmpty();
    keepHistoryOfRevert(result);
  }

  @Test
  void nothingIsChangedIfAHostRunsAnotherVersionByNow() {
    UpgradePlan plan = revertPlan("left", "right");
    fleet.host("left").setVersion("1.6.0");

    UpgradeResult result = run(plan);

    assertThat(result.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("moved-on");
    assertThat(fleet.log()).containsExactlyInAnyOrder("inspect left", "inspect right");
    keepHistoryOfRevert(result);
  }

  @Test
  void heldDeviceIsSentNothing() {
    records.hold("by ann: stocktaking");

    UpgradeResult result = revert("left");

    assertThat(result.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("held");
    assertThat(fleet.log()).isEmpty();
  }

  @Test
  void hostThatCannotRollBackDeclinesAndNoneIsChanged() {
    fleet.on("rollback right", fails(DECLINED, "version-not-found"));

    UpgradeResult result = revert("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("version-not-found");
    assertThat(result.hosts()).extracting(HostReport::progress).containsExactly(Progress.UNCHANGED, Progress.UNCHANGED);
    assertThat(fleet.log()).doesNotContain("rollback left");
  }

  @Test
  void hostThatCannotBeInspectedIsNotChanged() {
    fleet.on("inspect left", fails(FINAL, "unknown-package"));
    // The test server refuses to cancel an activity that has just ended.
    fleet.on("inspect right", isSilent());

    UpgradeResult result = revert("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("unknown-package");
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.5.0"));
    keepHistoryOfRevert(result);
  }

  @Test
  void noHostIsChangedBeforeAllAreOnline() {
    time = Duration.ofHours(3);
    fleet.host("left").powerOff();
    fleet.host("left").fallSilent();

    UpgradeResult result = revert("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(result.versions()).containsEntry(RIGHT, "1.5.0");
    assertThat(fleet.log()).containsExactlyInAnyOrder("inspect left", "inspect right");
    keepHistoryOfRevert(result);
  }

  @Test
  void hostThatAnswersWithinAnExtendedDeadlineIsWaitedFor() {
    time = Duration.ofHours(3);
    fleet.on("inspect left", isSilent());
    after(Duration.ofHours(2), () -> running().extendDeadline(in(Duration.ofHours(4)), ANN));
    after(Duration.ofHours(4), () -> fleet.behaveNormally("inspect left"));

    assertThat(revert("left", "right").outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(lasted()).isBetween(Duration.ofHours(4), Duration.ofHours(6));
  }

  @Test
  void hostThatFailsToRollBackIsStrandedAndTheOthersStay() {
    fleet.on("rollback middle", fails(FINAL, "health-failed"));

    UpgradeResult result = revert("left", "middle", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("health-failed");
    assertThat(result.hosts())
        .extracting(HostReport::progress)
        .containsExactly(Progress.UNCHANGED, Progress.STRANDED, Progress.ROLLED_BACK);
    assertThat(fleet.log()).doesNotContain("rollback left");
    keepHistoryOfRevert(result);
  }

  @Test
  void hostThatBecomesSilentIsStranded() {
    fleet.on("rollback right", powersOff());

    UpgradeResult result = revert("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("host-silent");
    assertThat(result.versions()).containsEntry(LEFT, "1.5.0");
  }

  @Test
  void retryableErrorsAreRetriedAndUnansweredSuccessesCount() {
    fleet.on("rollback right", failsAtFirst(2, "line-busy"));
    fleet.on("rollback left", succeedsWithoutAnswer());

    UpgradeResult result = revert("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "1.4.0"));
  }

  @Test
  void operatorMaySkipAHostThatWaitsForAnOperator() {
    fleet.on("rollback right", fails(NEEDS_PERSON, "disk-full"));
    after(Duration.ofHours(1), () -> running().skipHost(RIGHT, ANN));

    UpgradeResult result = revert("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "1.5.0"));
    keepHistoryOfRevert(result);
  }

  @Test
  void abortLeavesTheOthersAndFinishesTheRunningOne() {
    var interrupted = new AtomicReference<@Nullable String>();
    fleet.host("right").needsReboot();
    fleet.during("reboot right", () -> interrupted.set(running().abort(ANN)));

    UpgradeResult result = revert("left", "right");

    assertThat(interrupted.get()).isEqualTo("reboot right");
    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.reason().orElseThrow().message()).isEqualTo("ann: wrong site");
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.4.0"));
    assertThat(fleet.log()).contains("cancel right").doesNotContain("rollback left");
  }

  @Test
  void earlyAbortLeavesAllUnchanged() {
    fleet.during(
        "rollback right",
        () -> {
          running().abort(ANN);
          fleet.await("cancel right");
        });

    UpgradeResult result = revert("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.5.0"));
    keepHistoryOfRevert(result);
  }

  private UpgradeResult run(UpgradePlan plan) {
    return upgrade(plan);
  }
}
