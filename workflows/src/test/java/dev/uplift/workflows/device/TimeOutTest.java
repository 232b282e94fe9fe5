package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.workflows.device.FakeFleet.answersTooLate;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static dev.uplift.workflows.device.FakeFleet.powersOff;
import static dev.uplift.workflows.device.FakeFleet.succeedsWithoutAnswer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.StepTimeouts;
import dev.uplift.workflows.device.FakeFleet.ScriptedAnswer;
import dev.uplift.workflows.device.StepResult.Done;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// A time-out is a question, not a verdict.
final class TimeOutTest extends DeviceUpgradeScenario {
  @Test
  void lateAnswerCounts() {
    fleet.on("upgrade left", answersTooLate());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).containsExactly("prepare left", "upgrade left", "await-heartbeat left");
  }

  @Test
  void aHostHasAsLongAsThePlanSays() {
    UpgradePlan plan = plan("left");
    var options =
        new UpgradePlan.Options(
            plan.options().rollbackScope(),
            plan.options().allowDowngrade(),
            plan.options().soak(),
            plan.options().notAfter(),
            UpgradeTimeouts.DEFAULTS.with(new StepTimeouts(Map.of(Step.UPGRADE, Duration.ofHours(3)))));
    var requested = new AtomicReference<>(Duration.ZERO);
    fleet.on(
        "upgrade left",
        (stepRequest, host) -> {
          requested.set(stepRequest.timeout());
          return succeedsWithoutAnswer().answer(stepRequest, host);
        });

    UpgradeResult result =
        upgrade(new UpgradePlan(plan.upgrade(), plan.device(), plan.hosts(), plan.release(), options, plan.origin()));

    assertThat(result.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(requested).hasValue(Duration.ofHours(3));
    assertThat(lasted()).isBetween(Duration.ofHours(3), Duration.ofHours(4));
  }

  @Test
  void rebootRequiredByALateAnswerIsDone() {
    fleet.host("left").needsReboot();
    fleet.on("upgrade left", answersTooLate());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).containsSubsequence("upgrade left", "reboot left");
  }

  @Test
  void lateErrorCountsToo() {
    fleet.on(
        "upgrade left",
        (stepRequest, host) -> {
          host.answerTooLate(stepRequest, new StepResult.Failed("bad-image", FINAL, "for the test"));
          return isSilent().answer(stepRequest, host);
        });

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("bad-image");
  }

  @Test
  void hostWhoseHeartbeatsShowTheReleaseIsNotInspected() {
    fleet.on("upgrade left", succeedsWithoutAnswer());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).doesNotContain("inspect left");
  }

  @Test
  void withoutAHeartbeatTheResultOfAnInspectionCounts() {
    fleet.during("upgrade left", () -> fleet.host("left").fallSilent());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).containsExactly("prepare left", "upgrade left", "await-heartbeat left", "inspect left");
  }

  @Test
  void withoutAHeartbeatTheAnswerOfTheStepIsNotEnough() {
    fleet.during("upgrade left", () -> fleet.host("left").fallSilent());
    fleet.on("inspect left", isSilent());

    UpgradeResult result = upgrade("left");

    assertThat(result.reason().orElseThrow().code()).isEqualTo("host-silent");
    assertThat(fleet.log()).contains("rollback left");
  }

  @Test
  void aVersionThatRanBeforeDoesNotShowThatWhatIsOfferedIsInstalled() {
    runsTheReleaseAndIsOfferedAnUpdate();
    fleet.on("upgrade left", isSilent());

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("not-reached");
    assertThat(fleet.log()).containsSubsequence("prepare left", "upgrade left", "inspect left", "rollback left");
  }

  @Test
  void aLateAnswerShowsIt() {
    runsTheReleaseAndIsOfferedAnUpdate();
    fleet.on("upgrade left", answersTooLate());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  private void runsTheReleaseAndIsOfferedAnUpdate() {
    fleet.host("left").setVersion("1.5.0");
    records.runs("left", "1.5.0");
    records.offerUpdate();
  }

  @Test
  void hostThatIsNotDoneInTimeIsRolledBack() {
    fleet.on("upgrade left", isSilent());

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("not-reached");
    assertThat(result.reason().orElseThrow().message())
        .isEqualTo("upgrade left took too long: it runs 1.4.0 in boot boot-1");
  }

  @Test
  void hostWithHeartbeatsButWithoutAnAnswerIsNotCalledSilent() {
    fleet.on("upgrade left", isSilent());
    fleet.on("inspect left", isSilent());

    assertThat(upgrade("left").reason().orElseThrow().message()).isEqualTo("no answer to upgrade left");
  }

  @Test
  void slowRebootContinues() {
    fleet.host("left").needsReboot();
    fleet.on("reboot left", powersOff());
    after(Duration.ofMinutes(20), this::leftIsBack);

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).doesNotContain("rollback left");
  }

  @Test
  void hostThatNeverReturnsIsStrandedAndTheOthersAreRolledBack() {
    fleet.host("right").needsReboot();
    fleet.on("reboot right", powersOff());

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("host-silent");
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "unknown"));
    assertThat(fleet.log())
        .containsSubsequence("rollback right", "inspect left", "rollback left")
        .endsWith("await-heartbeat left");
  }

  @Test
  void hostThatReturnsWithTheOldVersionIsRolledBackAtOnce() {
    fleet.host("left").needsReboot();
    fleet.on("await-heartbeat left", atFirst(fails(FINAL, "version-mismatch")));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("version-mismatch");
  }

  @Test
  void rightVersionInTheSameBootIsNotEnough() {
    fleet.host("left").needsReboot();
    fleet.on(
        "reboot left",
        atFirst((_, host) -> {
          host.setVersion("1.5.0");
          return new Done(new HostState("1.5.0", "", "boot-1", false));
        }));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().message())
        .isEqualTo("await-heartbeat left took too long: it runs 1.5.0 in boot boot-1");
  }

  @Test
  void spontaneousRebootInPlaceOfOursCounts() {
    fleet.host("left").needsReboot();
    fleet.during("reboot left", () -> fleet.host("left").boot());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void noHostIsRolledBackBecauseTheServerWasDisconnected() {
    fleet.host("left").needsReboot();
    fleet.on("reboot left", powersOff());
    fleet.during("reboot left", fleet::loseLink);
    after(
        Duration.ofHours(5),
        () -> {
          leftIsBack();
          fleet.regainLink(in(Duration.ZERO));
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).containsExactly("prepare left", "upgrade left", "reboot left", "await-heartbeat left");
  }

  @Test
  void silenceWhileTheServerWasDisconnectedIsInspected() {
    fleet.on("upgrade left", isSilent());
    fleet.on("inspect left", isSilent());
    // The step times out after an hour; the inspection after ten minutes.
    after(Duration.ofMinutes(65), () -> fleet.regainLink(in(Duration.ZERO)));
    after(
        Duration.ofMinutes(75),
        () -> {
          fleet.host("left").setVersion("1.5.0");
          fleet.behaveNormally("inspect left");
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(Collections.frequency(fleet.log(), "inspect left")).isEqualTo(2);
  }

  private void leftIsBack() {
    fleet.behaveNormally("reboot left");
    fleet.host("left").powerOn();
  }

  private static ScriptedAnswer atFirst(ScriptedAnswer scriptedAnswer) {
    return (stepRequest, host) ->
        stepRequest.generation() == 1 ? scriptedAnswer.answer(stepRequest, host) : host.execute(stepRequest);
  }
}
