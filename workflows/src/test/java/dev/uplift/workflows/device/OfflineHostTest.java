package dev.uplift.workflows.device;

import static dev.uplift.workflows.device.FakeFleet.isSilent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.UpgradePlan.WindowPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A host that is off when its turn comes is not changed, and is no failure of the release.
final class OfflineHostTest extends DeviceUpgradeScenario {
  private static final Duration TAKES = Duration.ofMinutes(30);

  private final AtomicReference<@Nullable UpgradeStatus> seen = new AtomicReference<>();
  private OnClose onClose = OnClose.FINISH;

  @Test
  void hostThatIsNeverHeardIsNotTouched() {
    switchOffOnce("prepare left", "left");
    after(Duration.ofHours(1), () -> seen.set(running().status()));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertBlamesNothing(result);
    assertThat(result.hosts()).singleElement().returns(Progress.UNCHANGED, HostReport::progress);
    assertThat(fleet.log()).containsExactly("prepare left", "await-host left");
    assertThat(lasted()).isBetween(time, time.plusMinutes(1));
    assertThat(seen().phase()).isEqualTo(Phase.WAIT);
    assertThat(seen().waits())
        .singleElement()
        .returns(UpgradeWaitReason.OFFLINE, PendingWait::reason)
        .returns(Step.AWAIT_HOST, PendingWait::step)
        .returns("left", PendingWait::from);
    keepHistoryAs("expired-host-silent");
  }

  @Test
  void hostThatComesBackIsUpgraded() {
    switchOffOnce("prepare left", "left");
    after(Duration.ofHours(3), () -> fleet.host("left").powerOn());

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(result.reason()).isEmpty();
    assertThat(fleet.log()).containsExactly("prepare left", "await-host left", "upgrade left", "await-heartbeat left");
    keepHistoryAs("upgraded-once-heard");
  }

  @Test
  void hostThatComesBackBetweenItsWindowsIsUpgradedInTheNextOne() {
    records.openWindow(in(Duration.ZERO), in(Duration.ofHours(2)));
    records.addWindow(in(Duration.ofHours(20)), in(Duration.ofHours(22)));
    switchOffOnce("prepare left", "left");
    after(Duration.ofHours(5), () -> fleet.host("left").powerOn());
    after(Duration.ofHours(19), () -> seen.set(running().status()));

    UpgradeResult result = upgradeInWindow("left");

    assertThat(result.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(seen().waits()).singleElement().returns(UpgradeWaitReason.WINDOW, PendingWait::reason);
    assertThat(lasted()).isGreaterThanOrEqualTo(Duration.ofHours(20));
  }

  @Test
  void windowThatClosesBeforeAHostIsHeardStopsNothing() {
    onClose = OnClose.ROLL_BACK;
    records.openWindow(in(Duration.ZERO), in(Duration.ofHours(2)));
    records.addWindow(in(Duration.ofHours(20)), in(Duration.ofHours(22)));
    switchOffOnce("prepare left", "left");
    after(Duration.ofHours(5), () -> fleet.host("left").powerOn());

    assertThat(upgradeInWindow("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isGreaterThanOrEqualTo(Duration.ofHours(20));
  }

  @Test
  void windowIsWatchedOnceAHostIsChangedThatWasWaitedFor() {
    onClose = OnClose.ROLL_BACK;
    soak = Duration.ofMinutes(90);
    records.openWindow(in(Duration.ZERO), in(Duration.ofHours(2)));
    switchOffOnce("prepare left", "left");
    after(Duration.ofHours(1), () -> fleet.host("left").powerOn());

    UpgradeResult result = upgradeInWindow("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().map(Reason::code)).contains("window-closed");
  }

  @Test
  void windowThatClosesLeavesTheNextHostUnchanged() {
    onClose = OnClose.STOP_BEFORE_NEXT_HOST;
    records.openWindow(in(Duration.ZERO), in(Duration.ofHours(2)));
    switchOffOnce("upgrade left", "right");

    UpgradeResult result = upgradeInWindow("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.reason().map(Reason::code)).contains("window-closed");
    assertThat(fleet.log()).contains("await-host right").doesNotContain("upgrade right");
  }

  @Test
  void hostThatIsNeverHeardHasTheOthersRolledBack() {
    switchOffOnce("upgrade left", "right");

    UpgradeResult result = upgrade("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertBlamesNothing(result);
    assertThat(result.hosts().getLast().progress()).isEqualTo(Progress.UNCHANGED);
    assertThat(fleet.log()).contains("rollback left").doesNotContain("upgrade right", "rollback right");
  }

  @Test
  void deadlineMayBeExtendedMeanwhile() {
    switchOffOnce("prepare left", "left");
    after(Duration.ofHours(20), () -> running().extendDeadline(in(Duration.ofHours(30)), ANN));
    after(Duration.ofHours(40), () -> fleet.host("left").powerOn());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void abortEndsTheWaitAtOnce() {
    switchOffOnce("prepare left", "left");
    after(Duration.ofHours(2), () -> running().abort(ANN));

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(lasted()).isLessThan(Duration.ofHours(3));
    assertThat(fleet.log()).containsExactly("prepare left", "await-host left");
  }

  @Test
  void pauseHoldsAHostThatIsHeardAgain() {
    switchOffOnce("prepare left", "left");
    after(
        Duration.ofHours(1),
        () -> {
          running().pause(ANN);
          fleet.host("left").powerOn();
        });
    after(Duration.ofHours(6), () -> running().resume(ANN));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isGreaterThanOrEqualTo(Duration.ofHours(6));
  }

  @Test
  void hostThatIsOffWhileItPreparesIsNoFailureOfTheRelease() {
    fleet.on("prepare left", FakeFleet.powersOff());

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertBlamesNothing(result);
  }

  @Test
  void hostThatDoesNotAnswerToPrepareIsNoFailureOfTheRelease() {
    fleet.on("prepare left", isSilent());
    fleet.on("inspect left", isSilent());

    UpgradeResult result = upgrade("left");

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(result.reason().orElseThrow())
        .returns(Reason.Kind.DEADLINE, Reason::kind)
        .returns("no-answer", Reason::code);
  }

  @Test
  void revertLeavesAHostThatIsOffAsItIs() {
    switchOffOnce("inspect left", "left");

    UpgradeResult result = revert("left");

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertBlamesNothing(result);
    assertThat(fleet.log()).containsExactly("inspect left", "await-host left");
  }

  private UpgradeResult upgradeInWindow(String... hosts) {
    return upgrade(plan(hosts).withWindow(new WindowPolicy(false, onClose, TAKES, Optional.empty(), "")));
  }

  /// Switches a host off once another step is done.
  private void switchOffOnce(String step, String off) {
    fleet.on(
        step,
        (stepRequest, host) -> {
          StepResult result = host.execute(stepRequest);
          fleet.host(off).powerOff();
          return result;
        });
  }

  private UpgradeStatus seen() {
    return Optional.ofNullable(seen.get()).orElseThrow();
  }

  private static void assertBlamesNothing(UpgradeResult result) {
    assertThat(result.reason().orElseThrow())
        .returns(Reason.Kind.DEADLINE, Reason::kind)
        .returns("host-silent", Reason::code);
    assertThat(result.outcome().blamesRelease(result.reason().orElseThrow().kind())).isFalse();
  }
}
