package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import dev.uplift.workflows.device.DeviceUpgrade.ProceedSignal;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.UpgradePlan.WindowPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A device that has prepared ahead of its window proceeds when its rollout lets it.
final class ProceedTest extends DeviceUpgradeScenario {
  private static final WindowPolicy AHEAD =
      new WindowPolicy(true, OnClose.FINISH, Duration.ofMinutes(30), Optional.empty(), "");

  private UpgradeResult upgradeAhead() {
    return upgrade(plan("left").withWindow(AHEAD));
  }

  private ProceedSignal go(Duration open) {
    return new ProceedSignal(Optional.of(in(open)));
  }

  @Test
  void proceedsOnceItIsReleased() {
    records.openWindow(in(Duration.ofHours(3)), in(Duration.ofHours(5)));
    AtomicReference<@Nullable UpgradeStatus> seen = new AtomicReference<>();
    after(
        Duration.ofHours(4),
        () -> {
          seen.set(running().status());
          running().proceed(go(Duration.ofHours(1)));
          running().proceed(go(Duration.ofHours(1)));
        });

    assertThat(upgradeAhead().outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(seen.get()).isNotNull().returns(Phase.WAIT, UpgradeStatus::phase);
    assertThat(Optional.ofNullable(seen.get()).orElseThrow().waits())
        .singleElement()
        .returns(UpgradeWaitReason.PROCEED, PendingWait::reason)
        .returns(Step.UPGRADE, PendingWait::step)
        .returns("uplift", PendingWait::from)
        .returns("ann to let it proceed, once its window is open", PendingWait::message);
    // The callback counts from before the start.
    assertThat(lasted()).isBetween(Duration.ofHours(4).minusMinutes(1), Duration.ofHours(5));
    keepHistoryAs("upgraded-after-go");
  }

  @Test
  void earlyReleaseToProceedCounts() {
    records.openWindow(in(Duration.ZERO), in(Duration.ofHours(1)));
    fleet.during("prepare left", () -> running().proceed(go(Duration.ofHours(1))));

    assertThat(upgradeAhead().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void signalThatTheRecordsDoNotConfirmIsIgnored() {
    records.openWindow(in(Duration.ZERO), in(Duration.ofHours(9)));
    records.refuseSignals(1);
    after(Duration.ofHours(1), () -> running().proceed(go(Duration.ofHours(8))));
    after(Duration.ofHours(2), () -> running().proceed(go(Duration.ofHours(7))));

    assertThat(upgradeAhead().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isBetween(Duration.ofHours(2).minusMinutes(1), Duration.ofHours(3));
  }

  @Test
  void windowThatClosesMeanwhileIsNotUsed() {
    Instant next = in(Duration.ofHours(10));
    records.openWindow(next, next.plus(Duration.ofHours(1)));
    after(Duration.ofHours(1), () -> running().proceed(go(Duration.ofMinutes(-1))));

    assertThat(upgradeAhead().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isGreaterThanOrEqualTo(Duration.ofHours(10));
  }

  @Test
  void deviceThatIsNeverReleasedExpiresUnchanged() {
    records.openWindow(in(Duration.ZERO), in(Duration.ofDays(2)));

    assertThat(upgradeAhead().outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(fleet.log()).containsExactly("prepare left", "rollback left");
  }
}
