package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Actions of operators during a handover.
final class HandoverUpdatesTest extends DeviceUpgradeScenario {
  @BeforeEach
  void agentsHandOver() {
    fleet.host("left").handsOver().goesOnTrial();
  }

  @ParameterizedTest
  @EnumSource(names = {"UPGRADE", "STOP", "COMMIT"})
  void abortAwaitsTheAnswerToTheRunningCommand(Step step) {
    var interrupted = new AtomicReference<@Nullable String>();
    fleet.during(
        step + " left",
        () -> {
          interrupted.set(running().abort(ANN));
          fleet.await("cancel left");
        });

    UpgradeResult result = upgrade("left");

    assertThat(interrupted.get()).isEqualTo(step + " left");
    assertThat(fleet.log()).containsSubsequence(step + " left", "cancel left", "inspect left");
    assertWentBack(result);
  }

  @ParameterizedTest
  @EnumSource(names = {"AWAIT_SUCCESSOR", "AWAIT_HEARTBEAT"})
  void abortCancelsWaitsWithoutACommand(Step step) {
    fleet.during(
        step + " left",
        () -> {
          running().abort(ANN);
          fleet.await("inspect left");
        });

    UpgradeResult result = upgrade("left");

    assertThat(fleet.log()).containsSubsequence(step + " left", "inspect left");
    assertThat(fleet.log()).doesNotContain("cancel left", "commit left");
    assertWentBack(result);
  }

  @ParameterizedTest
  @EnumSource(names = {"AWAIT_SUCCESSOR", "STOP", "AWAIT_HEARTBEAT"})
  void pauseTakesEffectDuringTheHandover(Step held) {
    fleet.during(before(held) + " left", () -> running().pause(ANN));
    var seen = new AtomicReference<@Nullable UpgradeStatus>();
    after(
        Duration.ofHours(1),
        () -> {
          seen.set(running().status());
          running().resume(ANN);
        });

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(seen.get())
        .extracting(upgradeStatus -> upgradeStatus.waits().getFirst())
        .returns(UpgradeWaitReason.RESUME, PendingWait::reason)
        .returns(held, PendingWait::step);
  }

  @Test
  void pauseDuringTheHandoverUntilTheDeadlineRollsBack() {
    time = Duration.ofHours(3);
    fleet.during("await-successor left", () -> running().pause(ANN));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().map(Reason::kind)).contains(Reason.Kind.DEADLINE);
    assertThat(fleet.log()).doesNotContain("stop left");
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }

  @Test
  void statusNamesTheAwaitedAgent() {
    var seen = new AtomicReference<@Nullable UpgradeStatus>();
    fleet.during("await-successor left", () -> seen.set(running().status()));

    upgrade("left");

    assertThat(seen.get())
        .extracting(upgradeStatus -> upgradeStatus.waits().getFirst())
        .returns(UpgradeWaitReason.HEARTBEAT, PendingWait::reason)
        .returns(Step.AWAIT_SUCCESSOR, PendingWait::step)
        .returns("a heartbeat of os 1.5.0 that stands by on left", PendingWait::message);
  }

  private static Step before(Step step) {
    return switch (step) {
      case AWAIT_SUCCESSOR -> Step.UPGRADE;
      case STOP -> Step.AWAIT_SUCCESSOR;
      default -> Step.STOP;
    };
  }

  private void assertWentBack(UpgradeResult result) {
    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().orElseThrow().message()).isEqualTo("ann: wrong site");
    assertThat(fleet.log()).containsSubsequence("inspect left", "rollback left");
    assertThat(fleet.host("left").version()).isEqualTo("1.4.0");
  }
}
