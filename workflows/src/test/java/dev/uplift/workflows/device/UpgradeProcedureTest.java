package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.DECLINED;
import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.fleet.ErrorClass.RETRYABLE;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.failsAtFirst;
import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reason;
import io.temporal.api.enums.v1.EventType;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Successful upgrades, and upgrades that end before they change a host.
final class UpgradeProcedureTest extends DeviceUpgradeScenario {
  @Test
  void hostsAreAllPreparedThenUpgradedOneByOne() {
    fleet.host("right").needsReboot().goesOnTrial();

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(result.reason()).isEmpty();
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.5.0", RIGHT, "1.5.0"));
    assertThat(fleet.log().subList(0, 2)).containsExactlyInAnyOrder("prepare left", "prepare right");
    assertThat(fleet.log().subList(2, 8))
        .containsExactly(
            "upgrade left",
            "await-heartbeat left",
            "upgrade right",
            "reboot right",
            "await-heartbeat right",
            "commit right");
    keepHistoryOf(result);
  }

  @Test
  void heartbeatThatCameWithTheAnswerIsNotAwaited() {
    fleet.host("left").beatsWithItsAnswer();

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).containsExactly("prepare left", "upgrade left");
    keepHistoryAs("upgraded-and-heard");
  }

  @Test
  void heartbeatOfAnotherVersionThatCameWithTheAnswerDoesNotCount() {
    fleet.host("left").beatsWithItsAnswer();
    fleet.on(
        "upgrade left",
        (stepRequest, host) -> {
          var _ = host.execute(stepRequest);
          return new StepResult.Done(new HostState("1.4.9", "", "boot-1", false), true);
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).contains("await-heartbeat left");
  }

  @Test
  void heartbeatAfterTheSoakIsAwaitedAlsoIfOneCameWithTheAnswer() {
    soak = Duration.ofMinutes(10);
    fleet.host("left").beatsWithItsAnswer();

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(Collections.frequency(fleet.log(), "await-heartbeat left")).isOne();
  }

  @Test
  void retryableErrorIsRetriedThreeTimes() {
    fleet.on("prepare left", failsAtFirst(3, "link-down"));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(Collections.frequency(fleet.log(), "prepare left")).isEqualTo(4);
  }

  @Test
  void fourthRetryableErrorEndsTheUpgrade() {
    fleet.on("prepare left", fails(RETRYABLE, "link-down"));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("link-down");
    assertThat(Collections.frequency(fleet.log(), "prepare left")).isEqualTo(4);
  }

  @Test
  void stepCancelledByAnotherIsRequestedAgain() {
    fleet.on(
        "upgrade left",
        (stepRequest, host) -> stepRequest.generation() == 1 ? new StepResult.Cancelled() : host.execute(stepRequest));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(Collections.frequency(fleet.log(), "upgrade left")).isEqualTo(2);
  }

  @Test
  void hostThatCannotPrepareEndsTheUpgradeBeforeAnyChange() {
    fleet.on("prepare middle", fails(FINAL, "bad-signature"));
    fleet.during("prepare middle", () -> fleet.await("prepare left"));
    fleet.during("prepare right", () -> fleet.await("cancel right"));

    UpgradeResult result = upgrade("left", "middle", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("bad-signature");
    assertThat(fleet.log())
        .contains("cancel right", "rollback left")
        .doesNotContain("upgrade left", "rollback middle", "rollback right");
    keepHistoryOf(result);
  }

  @Test
  void hostThatDeclinesIsNotChanged() {
    fleet.on("prepare left", fails(DECLINED, "till-is-open"));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("till-is-open");
    assertThat(fleet.log()).containsExactly("prepare left");
    keepHistoryOf(result);
  }

  @Test
  void healthyReleaseIsCommittedAfterItsSoak() {
    soak = Duration.ofHours(2);
    fleet.host("left").goesOnTrial();

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log())
        .containsExactly("prepare left", "upgrade left", "await-heartbeat left", "await-heartbeat left", "commit left");
  }

  @Test
  void hostThatRebootsDuringTheSoakIsRolledBack() {
    soak = Duration.ofHours(2);
    fleet.host("left").goesOnTrial();
    after(Duration.ofHours(1), () -> fleet.host("left").boot());

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("rebooted-during-soak");
    assertThat(fleet.log()).contains("rollback left").doesNotContain("commit left");
  }

  @Test
  void deadlineInThePastSendsNothing() {
    time = Duration.ofSeconds(-1);

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(fleet.log()).isEmpty();
  }

  @Test
  void hostThatIsNotPreparedByTheDeadlineIsNotInspected() {
    time = Duration.ofHours(2);
    fleet.on("prepare right", isSilent());

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(result.reason().orElseThrow().message()).endsWith("no answer to prepare right");
    assertThat(fleet.log()).containsExactlyInAnyOrder("prepare left", "prepare right", "rollback left");
    keepHistoryOf(result);
  }

  @Test
  void deadlineBetweenTwoHostsRollsTheFirstOneBack() {
    time = Duration.ofHours(1);
    soak = Duration.ofHours(2);

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().kind()).isEqualTo(Reason.Kind.DEADLINE);
    assertThat(fleet.log()).containsSubsequence("inspect left", "rollback left").doesNotContain("upgrade right");
  }

  @Test
  void changedHostIsFinishedPastTheDeadline() {
    time = Duration.ofHours(1);
    soak = Duration.ofHours(2);
    fleet.host("left").goesOnTrial();

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(fleet.log()).endsWith("commit left");
  }

  @Test
  void hostThatReceivesTheCommandTooLateExpires() {
    fleet.on("prepare left", fails(DECLINED, "expired"));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.EXPIRED);
  }

  @Test
  void oneHostCosts28EventsAndSixMoreForARebootAndForACommit() {
    upgrade("left");
    assertThat(history().getEvents()).hasSize(28);

    fleet.host("right").needsReboot();
    upgrade("right");
    assertThat(history().getEvents()).hasSize(34);

    fleet.host("middle").needsReboot().goesOnTrial();
    upgrade("middle");
    assertThat(history().getEvents()).hasSize(40);
  }

  @Test
  void summaryOfATimerIsShortWhateverTheHostSays() {
    fleet.on(
        "prepare left",
        (stepRequest, host) ->
            stepRequest.generation() == 1
                ? new StepResult.Failed("busy", ErrorClass.RETRYABLE, "x".repeat(1000))
                : host.execute(stepRequest));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(history().getEvents())
        .filteredOn(event -> event.getEventType() == EventType.EVENT_TYPE_TIMER_STARTED)
        .extracting(event -> event.getUserMetadata().getSummary().getData().toStringUtf8())
        .singleElement()
        .satisfies(
            summary -> assertThat(summary).startsWith("\"the next try of prepare").hasSizeLessThanOrEqualTo(202));
  }

  @Test
  void recordsThatFailAreCalledAgainUntilTheyAnswer() {
    records.fail(2);
    fleet.during("upgrade left", () -> records.fail(2));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
  }
}
