package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.UpgradePlan.WindowPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// No host is changed outside of a window, but every one is prepared before it.
final class WindowTest extends DeviceUpgradeScenario {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration TAKES = Duration.ofMinutes(30);

  private final AtomicReference<@Nullable UpgradeStatus> seen = new AtomicReference<>();
  private final List<String> before = new ArrayList<>();
  private OnClose onClose = OnClose.FINISH;
  private Optional<Instant> openUntil = Optional.empty();

  private UpgradeResult upgradeInWindow(String... hosts) {
    return upgrade(plan(hosts).withWindow(new WindowPolicy(false, onClose, TAKES, openUntil, "")));
  }

  private void lookAfter(Duration time) {
    after(
        time,
        () -> {
          seen.set(running().status());
          before.addAll(fleet.log());
        });
  }

  private UpgradeStatus seen() {
    return Optional.ofNullable(seen.get()).orElseThrow();
  }

  @Test
  void preparedDeviceWaitsForItsWindow() {
    Instant opens = in(Duration.ofHours(3));
    records.openWindow(opens, opens.plus(HOUR));
    lookAfter(Duration.ofHours(2));
    AtomicReference<@Nullable StepRequest> upgrade = new AtomicReference<>();
    fleet.on(
        "upgrade left",
        (stepRequest, host) -> {
          upgrade.set(stepRequest);
          return host.execute(stepRequest);
        });

    UpgradeResult result = upgradeInWindow("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(result.reason()).isEmpty();
    assertThat(seen().phase()).isEqualTo(Phase.WAIT);
    assertThat(seen().waits())
        .singleElement()
        .returns(UpgradeWaitReason.WINDOW, PendingWait::reason)
        .returns(Step.UPGRADE, PendingWait::step)
        .returns(LEFT, PendingWait::host)
        .returns("clock", PendingWait::from)
        .returns("its window at " + opens, PendingWait::message)
        .returns(Optional.of(opens), PendingWait::until);
    assertThat(before).containsExactlyInAnyOrder("prepare left", "prepare right");
    assertThat(lasted()).isBetween(Duration.ofHours(3), Duration.ofHours(4));
    assertThat(upgrade.get()).returns(opens.plus(HOUR), StepRequest::notAfter);
    keepHistoryAs("upgraded-in-window");
  }

  @Test
  void openWindowCostsOneEvent() {
    upgrade("left");
    int without = history().getEvents().size();

    openUntil = Optional.of(in(HOUR));
    records.openWindow(in(Duration.ZERO), in(HOUR));
    upgradeInWindow("left");

    assertThat(history().getEvents()).hasSize(without + 1);
  }

  @Test
  void changedWindowAppliesToAWaitingDevice() {
    records.openWindow(in(Duration.ofHours(10)), in(Duration.ofHours(12)));
    after(
        Duration.ofMinutes(90),
        () -> {
          records.openWindow(in(Duration.ofMinutes(5)), in(HOUR));
          running().recheck();
        });

    assertThat(upgradeInWindow("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isBetween(Duration.ofMinutes(95), Duration.ofMinutes(110));
  }

  @Test
  void changedWindowAppliesWithinAnHourWithoutASignal() {
    records.openWindow(in(Duration.ofHours(10)), in(Duration.ofHours(12)));
    after(Duration.ofMinutes(90), () -> records.openWindow(in(Duration.ZERO), in(Duration.ofHours(2))));

    assertThat(upgradeInWindow("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isBetween(Duration.ofMinutes(90), Duration.ofMinutes(151));
  }

  @Test
  void pinThatIsSetWhileItWaitsForItsWindowDeclinesIt() {
    records.openWindow(in(Duration.ofHours(3)), in(Duration.ofHours(4)));
    after(HOUR, () -> records.pin("1.4.0"));

    UpgradeResult result = upgradeInWindow("left");

    assertThat(result.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result.reason().map(Reason::code)).contains("pinned");
    assertThat(fleet.log()).containsExactly("prepare left", "rollback left");
  }

  @Test
  void pinToTheVersionThatItInstallsLetsAWaitingUpgradeBegin() {
    records.openWindow(in(Duration.ofHours(3)), in(Duration.ofHours(4)));
    after(HOUR, () -> records.pin("1.5.0"));

    assertThat(upgradeInWindow("left").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void windowWithTooLittleLeftIsNotUsed() {
    records.openWindow(in(Duration.ZERO), in(Duration.ofMinutes(20)));
    records.addWindow(in(Duration.ofHours(5)), in(Duration.ofHours(6)));

    assertThat(upgradeInWindow("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isGreaterThan(Duration.ofHours(4));
  }

  @Test
  void windowGrantedAtTheStartIsNotCheckedForTimeLeft() {
    records.openWindow(in(Duration.ZERO), in(Duration.ofMinutes(20)));
    openUntil = Optional.of(in(Duration.ofMinutes(20)));

    assertThat(upgradeInWindow("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isLessThan(Duration.ofMinutes(20));
  }

  @Test
  void windowThatDoesNotOpenInTimeExpires() {
    records.openWindow(in(Duration.ofHours(30)), in(Duration.ofHours(32)));
    lookAfter(HOUR);

    UpgradeResult result = upgradeInWindow("left");

    assertThat(result.outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(result.reason().map(Reason::code)).contains("deadline");
    assertThat(seen().waits()).singleElement().returns(UpgradeWaitReason.WINDOW, PendingWait::reason);
    assertThat(fleet.log()).containsExactly("prepare left", "rollback left");
  }

  @Test
  void extendedDeadlineLetsItWaitForItsWindow() {
    records.openWindow(in(Duration.ofHours(30)), in(Duration.ofHours(32)));
    after(HOUR, () -> running().extendDeadline(in(Duration.ofHours(40)), ANN));

    assertThat(upgradeInWindow("left").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void runningUpgradeIsFinishedByDefault() {
    soak = Duration.ofMinutes(40);
    records.openWindow(in(Duration.ZERO), in(Duration.ofMinutes(35)));

    assertThat(upgradeInWindow("left", "right").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(fleet.log()).contains("upgrade right");
  }

  @Test
  void hostsThatWereNotStartedStayWhenTheWindowCloses() {
    soak = Duration.ofMinutes(40);
    onClose = OnClose.STOP_BEFORE_NEXT_HOST;
    records.openWindow(in(Duration.ZERO), in(Duration.ofMinutes(35)));

    UpgradeResult result = upgradeInWindow("left", "middle", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.PARTIAL);
    assertThat(result.reason().orElseThrow())
        .returns(Reason.Kind.DEADLINE, Reason::kind)
        .returns("window-closed", Reason::code);
    assertThat(result.versions())
        .containsEntry(LEFT, "1.5.0")
        .containsEntry(MIDDLE, "1.4.0")
        .containsEntry(RIGHT, "1.4.0");
    assertThat(result.hosts().getLast().skipped()).isTrue();
    assertThat(fleet.log()).doesNotContain("upgrade middle", "upgrade right", "rollback left");
    keepHistoryAs("partial-window-closed");
  }

  @Test
  void hostsThatHaveTheirTurnInTheWindowAreUpgraded() {
    onClose = OnClose.STOP_BEFORE_NEXT_HOST;
    records.openWindow(in(Duration.ZERO), in(Duration.ofMinutes(35)));

    assertThat(upgradeInWindow("left", "middle", "right").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void pauseBeyondTheWindowLeavesTheNextHostUnchanged() {
    onClose = OnClose.STOP_BEFORE_NEXT_HOST;
    records.openWindow(in(Duration.ZERO), in(Duration.ofMinutes(35)));
    fleet.during("await-heartbeat left", () -> running().pause(ANN));
    after(HOUR, () -> running().resume(ANN));

    assertThat(upgradeInWindow("left", "right").outcome()).isEqualTo(Outcome.PARTIAL);
  }

  @Test
  void deviceIsRolledBackWhenTheWindowCloses() {
    soak = Duration.ofMinutes(40);
    onClose = OnClose.ROLL_BACK;
    records.openWindow(in(Duration.ZERO), in(Duration.ofMinutes(35)));

    UpgradeResult result = upgradeInWindow("left", "right");

    assertThat(result.outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(result.reason().map(Reason::code)).contains("window-closed");
    assertThat(fleet.log()).contains("rollback left").doesNotContain("upgrade right");
    assertThat(lasted()).isBetween(Duration.ofMinutes(35), Duration.ofMinutes(39));
    keepHistoryAs("rolled-back-window-closed");
  }

  @Test
  void deviceThatIsDoneWhenTheWindowClosesStays() {
    onClose = OnClose.ROLL_BACK;
    records.openWindow(in(HOUR), in(Duration.ofHours(2)));

    assertThat(upgradeInWindow("left", "right").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void windowThatIsProlongedMeanwhileHasRoomForTheNextHost() {
    soak = Duration.ofMinutes(40);
    onClose = OnClose.ROLL_BACK;
    records.openWindow(in(Duration.ZERO), in(Duration.ofMinutes(35)));
    after(
        Duration.ofMinutes(10),
        () -> {
          records.openWindow(in(Duration.ZERO), in(Duration.ofHours(3)));
          running().recheck();
        });

    assertThat(upgradeInWindow("left", "right").outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void pauseOverTheWindowWaitsForTheNextOne() {
    records.openWindow(in(HOUR), in(Duration.ofHours(2)));
    records.addWindow(in(Duration.ofHours(10)), in(Duration.ofHours(12)));
    after(Duration.ofMinutes(30), () -> running().pause(ANN));
    after(
        Duration.ofHours(3),
        () -> {
          before.addAll(fleet.log());
          running().resume(ANN);
        });

    assertThat(upgradeInWindow("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(before).containsExactly("prepare left");
    assertThat(lasted()).isGreaterThanOrEqualTo(Duration.ofHours(10));
  }

  @Test
  void abortWhileItWaitsChangesNothing() {
    records.openWindow(in(Duration.ofHours(3)), in(Duration.ofHours(4)));
    after(HOUR, () -> running().abort(ANN));

    assertThat(upgradeInWindow("left").outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(fleet.log()).containsExactly("prepare left", "rollback left");
  }
}
