package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.FINAL;
import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static dev.uplift.workflows.device.FakeFleet.failsAtFirst;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.InstanceOfAssertFactories.list;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Actions of operators on an upgrade, its waits for them, and its status.
final class OperatorUpdatesTest extends DeviceUpgradeScenario {
  private final AtomicReference<@Nullable UpgradeStatus> seen = new AtomicReference<>();

  @Test
  void fullDiskWaitsForAnOperatorWhoRetriesTheStep() {
    fleet.on("upgrade left", fails(NEEDS_PERSON, "disk-full"));
    after(
        Duration.ofHours(1),
        () -> {
          seen.set(running().status());
          fleet.behaveNormally("upgrade left");
          assertThat(running().retryStep(LEFT, ANN)).isEqualTo("upgrade left");
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(seen().waits())
        .singleElement()
        .returns(UpgradeWaitReason.PERSON, PendingWait::reason)
        .returns(Step.UPGRADE, PendingWait::step)
        .returns("operator", PendingWait::from)
        .returns("an operator to decide about upgrade left: for the test", PendingWait::message);
    assertThat(fleet.log()).containsSubsequence("upgrade left", "upgrade left");
  }

  @Test
  void skippedHostStaysAndTheOthersContinue() {
    fleet.on("upgrade left", fails(NEEDS_PERSON, "disk-full"));
    after(Duration.ofHours(1), () -> running().skipHost(LEFT, ANN));

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("disk-full");
    assertThat(result.versions()).isEqualTo(Map.of(LEFT, "1.4.0", RIGHT, "1.5.0"));
    assertThat(result.hosts().getFirst().skipped()).isTrue();
    assertThat(result.hosts().getFirst().reason().map(Reason::code)).contains("disk-full");
  }

  @Test
  void hostSkippedBeforeItsChangeIsNotChangedLater() {
    fleet.on("prepare left", fails(NEEDS_PERSON, "disk-full"));
    after(Duration.ofHours(1), () -> running().skipHost(LEFT, ANN));

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(fleet.log()).contains("upgrade right").doesNotContain("upgrade left");
  }

  @Test
  void hostThatWaitsForAnOperatorIsRolledBackAtTheDeadline() {
    fleet.on("upgrade left", fails(NEEDS_PERSON, "disk-full"));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().code()).isEqualTo("deadline");
    assertThat(result.reason().orElseThrow().message())
        .endsWith("waited for an operator to decide about upgrade left: for the test");
  }

  @Test
  void hostThatWaitsForAnOperatorBeforeItsChangeExpires() {
    fleet.on("prepare left", fails(NEEDS_PERSON, "disk-full"));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.EXPIRED);
  }

  @ParameterizedTest
  @CsvSource({
    "prepare left,upgrade left",
    "upgrade left,reboot left",
    "reboot left,await-heartbeat left",
    "await-heartbeat left,commit left",
    "commit left,upgrade right"
  })
  void pauseTakesEffectBeforeTheNextStepUntilAResume(String inWork, String next) {
    fleet.host("left").needsReboot().goesOnTrial();
    List<String> done = new ArrayList<>();
    fleet.during(inWork, () -> running().pause(ANN));
    after(
        Duration.ofHours(1),
        () -> {
          seen.set(running().status());
          done.addAll(fleet.log());
          running().resume(ANN);
        });

    assertThat(upgrade("left", "right").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(seen().pausedBy()).contains(ANN);
    assertThat(seen().waits())
        .singleElement()
        .returns(UpgradeWaitReason.RESUME, PendingWait::reason)
        .returns("resume, before %s: paused by ann: wrong site".formatted(next), PendingWait::message);
    assertThat(done).contains(inWork).doesNotContain(next);
    assertThat(fleet.log()).containsSubsequence(inWork, next);
  }

  @Test
  void pauseTakesEffectBeforeARepeatedStep() {
    fleet.on("upgrade left", failsAtFirst(1, "link-down"));
    // Sent again after a minute.
    after(Duration.ofSeconds(30), () -> running().pause(ANN));

    assertIsHeldBefore(Step.UPGRADE);
  }

  @Test
  void pauseDuringTheSoakTakesEffectBeforeTheLastCheck() {
    soak = Duration.ofMinutes(10);
    after(Duration.ofMinutes(5), () -> running().pause(ANN));

    assertIsHeldBefore(Step.AWAIT_HEARTBEAT);
  }

  private void assertIsHeldBefore(Step held) {
    after(
        Duration.ofHours(1),
        () -> {
          seen.set(running().status());
          running().resume(ANN);
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(seen().waits())
        .singleElement()
        .returns(UpgradeWaitReason.RESUME, PendingWait::reason)
        .returns(held, PendingWait::step);
  }

  @Test
  void pauseDoesNotStopTheDeadline() {
    fleet.during("prepare left", () -> running().pause(ANN));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(fleet.log()).containsExactly("prepare left", "rollback left");
  }

  @Test
  void pauseAfterTheDeadlineRollsNothingBack() {
    time = Duration.ofMinutes(30);
    soak = Duration.ofHours(1);
    AtomicReference<@Nullable Throwable> refusal = new AtomicReference<>();
    after(Duration.ofMinutes(45), () -> refusal.set(catchThrowable(() -> running().pause(ANN))));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(requireNonNull(refusal.get()).getCause()).hasMessageContaining("is past its deadline");
  }

  @Test
  void pausedUpgradeCanBeAborted() {
    fleet.during("upgrade left", () -> running().pause(ANN));
    after(Duration.ofHours(1), () -> running().abort(ANN));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.ROLLED_BACK);

    assertThat(fleet.log()).contains("rollback left").doesNotContain("cancel left");
  }

  @Test
  void pauseDoesNotStopTheRollback() {
    fleet.on("upgrade left", fails(FINAL, "bad-image"));
    fleet.during("upgrade left", () -> running().pause(ANN));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.ROLLED_BACK);
  }

  @Test
  void impossibleUpdatesAreRejectedAndChangeNothing() {
    List<@Nullable Throwable> refusals = new ArrayList<>();
    fleet.during(
        "upgrade left",
        () -> {
          refusals.add(catchThrowable(() -> running().resume(ANN)));
          refusals.add(catchThrowable(() -> running().retryStep(LEFT, ANN)));
          refusals.add(catchThrowable(() -> running().skipHost(RIGHT, ANN)));
          running().pause(ANN);
          refusals.add(catchThrowable(() -> running().pause(ANN)));
          running().resume(ANN);
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(refusals)
        .hasSize(4)
        .allSatisfy(refusal -> assertThat(refusal).isInstanceOf(WorkflowUpdateException.class))
        .extracting(refusal -> requireNonNull(refusal).getCause())
        .asInstanceOf(list(ApplicationFailure.class))
        .extracting(ApplicationFailure::getOriginalMessage)
        .containsExactly(
            "acme/site-7 is not paused: upgrade left",
            "acme/site-7 does not wait for an operator's decision about left: upgrade left",
            "acme/site-7 does not wait for an operator's decision about right: upgrade left",
            "acme/site-7 is paused already: upgrade left");
  }

  @Test
  void statusHasTheWaitOfEachHost() {
    fleet.during("await-heartbeat left", () -> seen.set(running().status()));

    upgrade("left", "right");

    assertThat(seen().phase()).isEqualTo(Phase.UPGRADE);
    assertThat(seen().upgrade()).isEqualTo("u-1");
    assertThat(seen().hosts()).extracting(HostReport::progress).containsExactly(Progress.CHANGED, Progress.UNCHANGED);
    assertThat(seen().waits())
        .singleElement()
        .returns(UpgradeWaitReason.HEARTBEAT, PendingWait::reason)
        .returns("left", PendingWait::from)
        .returns("a heartbeat of left that shows os 1.5.0", PendingWait::message)
        .satisfies(
            pendingWait -> assertThat(pendingWait.until()).contains(pendingWait.since().plus(Duration.ofMinutes(10))));
  }

  @Test
  void statusOfAnEndedUpgradeHasTheReason() {
    fleet.on("upgrade left", fails(FINAL, "bad-image"));
    upgrade("left");

    UpgradeStatus after = running().status();

    assertThat(after.phase()).isEqualTo(Phase.ENDED);
    assertThat(after.waits()).isEmpty();
    assertThat(after.reason().map(Reason::code)).contains("bad-image");
  }

  private UpgradeStatus seen() {
    return requireNonNull(seen.get());
  }
}
