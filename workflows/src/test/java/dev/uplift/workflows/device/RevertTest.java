package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.DECLINED;
import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.workflows.device.FakeFleet.doesItWithoutAWord;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.failsAtFirst;
import static dev.uplift.workflows.device.FakeFleet.goesOff;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// An upgrade that is done is taken back.
final class RevertTest extends DeviceUpgradeScenario {
  @Test
  void goesBackHostByHostTheLastOneFirst() {
    fleet.host("right").needsReboot();

    Ending ending = revert("left", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending.reason()).isEmpty();
    assertThat(ending.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "1.4.0"));
    assertThat(fleet.log().subList(0, 2))
        .containsExactlyInAnyOrder("inspect left", "inspect right");
    assertThat(fleet.log().subList(2, fleet.log().size()))
        .containsExactly(
            "rollback right",
            "reboot right",
            "await-heartbeat right",
            "rollback left",
            "await-heartbeat left");
    assertThat(records.endings()).containsExactly(ending);
    keepHistoryOfRevert(ending);
  }

  @Test
  void historyOfOneHostIsShort() {
    revert("left");

    assertThat(history().getEvents()).hasSizeLessThanOrEqualTo(28);
  }

  @Test
  void nothingIsSentToADeviceThatIsBackAlready() {
    UpgradePlan plan = revertPlan("left");
    records.runs("left", "1.4.0");

    Ending ending = run(plan);

    assertThat(ending.outcome()).isEqualTo(Outcome.NO_ACTION);
    assertThat(fleet.log()).isEmpty();
    keepHistoryOfRevert(ending);
  }

  @Test
  void nothingIsTouchedWhereAHostRunsSomethingElseByNow() {
    UpgradePlan plan = revertPlan("left", "right");
    fleet.host("left").nowRuns("1.6.0");

    Ending ending = run(plan);

    assertThat(ending.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("moved-on");
    assertThat(fleet.log()).containsExactlyInAnyOrder("inspect left", "inspect right");
    keepHistoryOfRevert(ending);
  }

  @Test
  void nothingIsSentToADeviceThatSomebodyHolds() {
    records.hold("by ann: stocktaking");

    Ending ending = revert("left");

    assertThat(ending.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("held");
    assertThat(fleet.log()).isEmpty();
  }

  @Test
  void hostThatHasNoWayBackAnyMoreDeclinesAndNoneIsTouched() {
    fleet.on("rollback right", fails(DECLINED, "version-gone"));

    Ending ending = revert("left", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("version-gone");
    assertThat(ending.hosts())
        .extracting(HostReport::progress)
        .containsExactly(Progress.UNTOUCHED, Progress.UNTOUCHED);
    assertThat(fleet.log()).doesNotContain("rollback left");
  }

  @Test
  void hostThatCannotEvenSayWhatItRunsIsNotTouched() {
    fleet.on("inspect left", fails(FINAL, "unknown-package"));

    Ending ending = revert("left", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("unknown-package");
    assertThat(ending.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.5.0"));
    keepHistoryOfRevert(ending);
  }

  @Test
  void nobodyIsTouchedBeforeAllAreThere() {
    time = Duration.ofHours(3);
    fleet.host("left").goOff();
    fleet.host("left").fallSilent();

    Ending ending = revert("left", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(ending.versions()).containsEntry(RIGHT, "1.5.0");
    assertThat(fleet.log()).containsExactlyInAnyOrder("inspect left", "inspect right");
    keepHistoryOfRevert(ending);
  }

  @Test
  void hostThatWillNotGoBackIsStrandedAndTheOthersStayWhereTheyWork() {
    fleet.on("rollback middle", fails(FINAL, "health-failed"));

    Ending ending = revert("left", "middle", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("health-failed");
    assertThat(ending.hosts())
        .extracting(HostReport::progress)
        .containsExactly(Progress.UNTOUCHED, Progress.STRANDED, Progress.ROLLED_BACK);
    assertThat(fleet.log()).doesNotContain("rollback left");
    keepHistoryOfRevert(ending);
  }

  @Test
  void hostThatFallsSilentOnTheWayIsStranded() {
    fleet.on("rollback right", goesOff());

    Ending ending = revert("left", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("host-silent");
    assertThat(ending.versions()).containsEntry(LEFT, "1.5.0");
  }

  @Test
  void whatCanBeTriedAgainIsAndWhatWasDoneWithoutAWordCounts() {
    fleet.on("rollback right", failsAtFirst(2, "line-busy"));
    fleet.on("rollback left", doesItWithoutAWord());

    Ending ending = revert("left", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "1.4.0"));
  }

  @Test
  void personMaySkipAHostThatWaitsForOne() {
    fleet.on("rollback right", fails(NEEDS_PERSON, "disk-full"));
    after(Duration.ofHours(1), () -> running().skipHost(RIGHT, ANN));

    Ending ending = revert("left", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(ending.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "1.5.0"));
    keepHistoryOfRevert(ending);
  }

  @Test
  void abortLeavesTheOthersAndBringsTheOneInWorkToItsEnd() {
    var interrupted = new AtomicReference<@Nullable String>();
    fleet.host("right").needsReboot();
    fleet.during("reboot right", () -> interrupted.set(running().abort(ANN)));

    Ending ending = revert("left", "right");

    assertThat(interrupted.get()).isEqualTo("reboot right");
    assertThat(ending.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(ending.reason().orElseThrow().text()).isEqualTo("ann: wrong site");
    assertThat(ending.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.4.0"));
    assertThat(fleet.log()).contains("cancel right").doesNotContain("rollback left");
  }

  @Test
  void abortInTimeLeavesAllAsTheyAre() {
    fleet.during(
        "rollback right",
        () -> {
          running().abort(ANN);
          fleet.await("cancel right");
        });

    Ending ending = revert("left", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(ending.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.5.0"));
    keepHistoryOfRevert(ending);
  }

  private Ending run(UpgradePlan plan) {
    return client.newWorkflowStub(DeviceUpgrade.class, UpgradeStart.options(plan)).run(plan);
  }
}
