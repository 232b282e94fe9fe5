package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.workflows.device.FakeFleet.answersTooLate;
import static dev.uplift.workflows.device.FakeFleet.doesItWithoutAWord;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.goesOff;
import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.workflows.device.Answer.Done;
import dev.uplift.workflows.device.FakeFleet.Conduct;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A time-out is a question, not a verdict.
final class TimeOutTest extends DeviceUpgradeScenario {
  @Test
  void answerThatCameTooLateCounts() {
    fleet.on("upgrade left", answersTooLate());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).containsExactly("prepare left", "upgrade left", "await-heartbeat left");
  }

  @Test
  void rebootThatTheLateAnswerAsksForIsOrdered() {
    fleet.host("left").needsReboot();
    fleet.on("upgrade left", answersTooLate());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).containsSubsequence("upgrade left", "reboot left");
  }

  @Test
  void errorThatCameTooLateCountsToo() {
    fleet.on(
        "upgrade left",
        (order, host) -> {
          host.say(order, new Answer.Failed("bad-image", FINAL, "for the test"));
          return isSilent().answer(order, host);
        });

    Ending ending = upgrade("left");

    assertThat(ending.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("bad-image");
  }

  @Test
  void hostWhoseHeartbeatsShowTheReleaseNeedNotBeAsked() {
    fleet.on("upgrade left", doesItWithoutAWord());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).doesNotContain("inspect left");
  }

  @Test
  void rightWordsWithoutAHeartbeatCountOnceTheHostIsAsked() {
    fleet.during("upgrade left", () -> fleet.host("left").fallSilent());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log())
        .containsExactly("prepare left", "upgrade left", "await-heartbeat left", "inspect left");
  }

  @Test
  void rightWordsWithoutAHeartbeatAreNotEnough() {
    fleet.during("upgrade left", () -> fleet.host("left").fallSilent());
    fleet.on("inspect left", isSilent());

    Ending ending = upgrade("left");

    assertThat(ending.reason().orElseThrow().code()).isEqualTo("host-silent");
    assertThat(fleet.log()).contains("rollback left");
  }

  @Test
  void hostThatIsNotThereInTimeGoesBack() {
    fleet.on("upgrade left", isSilent());

    Ending ending = upgrade("left");

    assertThat(ending.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("not-reached");
    assertThat(ending.reason().orElseThrow().text())
        .isEqualTo("upgrade left took too long: it runs 1.4.0 in boot boot-1");
  }

  @Test
  void hostThatBeatsButDoesNotAnswerIsNotCalledSilent() {
    fleet.on("upgrade left", isSilent());
    fleet.on("inspect left", isSilent());

    assertThat(upgrade("left").reason().orElseThrow().text())
        .isEqualTo("no answer to upgrade left");
  }

  @Test
  void rebootThatTakesLongerGoesOn() {
    fleet.host("left").needsReboot();
    fleet.on("reboot left", goesOff());
    after(Duration.ofMinutes(20), this::leftIsBack);

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).doesNotContain("rollback left");
  }

  @Test
  void rebootThatNeverComesBackStrandsTheHostAndTheOthersGoBack() {
    fleet.host("right").needsReboot();
    fleet.on("reboot right", goesOff());

    Ending ending = upgrade("left", "right");

    assertThat(ending.outcome()).isEqualTo(Outcome.STRANDED);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("host-silent");
    assertThat(ending.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "unknown"));
    assertThat(fleet.log())
        .containsSubsequence("rollback right", "inspect left", "rollback left")
        .endsWith("await-heartbeat left");
  }

  @Test
  void hostThatIsBackWithTheOldVersionGoesBackAtOnce() {
    fleet.host("left").needsReboot();
    fleet.on("await-heartbeat left", atFirst(fails(FINAL, "version-mismatch")));

    Ending ending = upgrade("left");

    assertThat(ending.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending.reason().orElseThrow().code()).isEqualTo("version-mismatch");
  }

  @Test
  void rightVersionInTheBootFromBeforeIsNotEnough() {
    fleet.host("left").needsReboot();
    fleet.on(
        "reboot left",
        atFirst((_, host) -> {
          host.nowRuns("1.5.0");
          return new Done(new HostState("1.5.0", "", "boot-1", false));
        }));

    Ending ending = upgrade("left");

    assertThat(ending.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending.reason().orElseThrow().text())
        .isEqualTo("await-heartbeat left took too long: it runs 1.5.0 in boot boot-1");
  }

  @Test
  void spontaneousRebootInPlaceOfOursCounts() {
    fleet.host("left").needsReboot();
    fleet.during("reboot left", () -> fleet.host("left").boot());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void nobodyIsRolledBackBecauseOurOwnLinkIsDown() {
    fleet.host("left").needsReboot();
    fleet.on("reboot left", goesOff());
    fleet.during("reboot left", fleet::loseLink);
    after(
        Duration.ofHours(5),
        () -> {
          leftIsBack();
          fleet.regainLink(in(Duration.ZERO));
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log())
        .containsExactly("prepare left", "upgrade left", "reboot left", "await-heartbeat left");
  }

  @Test
  void silenceWhileOurLinkWasBrokenIsAskedAbout() {
    fleet.on("upgrade left", isSilent());
    fleet.on("inspect left", isSilent());
    // Ordered at once and given up after an hour; then asked, for ten minutes.
    after(Duration.ofMinutes(65), () -> fleet.regainLink(in(Duration.ZERO)));
    after(
        Duration.ofMinutes(75),
        () -> {
          fleet.host("left").nowRuns("1.5.0");
          fleet.cure("inspect left");
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(Collections.frequency(fleet.log(), "inspect left")).isEqualTo(2);
  }

  private void leftIsBack() {
    fleet.cure("reboot left");
    fleet.host("left").comeBack();
  }

  private static Conduct atFirst(Conduct conduct) {
    return (order, host) ->
        order.generation() == 1 ? conduct.answer(order, host) : host.obey(order);
  }
}
