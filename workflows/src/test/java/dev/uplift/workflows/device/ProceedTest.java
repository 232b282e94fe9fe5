package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.rollout.WindowRule.OnClose;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A device that its rollout has prepare ahead of its window goes on when it is let.
final class ProceedTest extends DeviceUpgradeScenario {
  private static final WindowTerms AHEAD =
      new WindowTerms(true, OnClose.FINISH, Duration.ofMinutes(30), Optional.empty(), "");

  private Ending upgradeAhead() {
    return upgrade(plan("left").partOf("north").within(AHEAD));
  }

  private Go go(Duration open) {
    return new Go(Optional.of(in(open)));
  }

  @Test
  void goesOnOnceItIsLet() {
    records.opens(in(Duration.ofHours(3)), in(Duration.ofHours(5)));
    AtomicReference<@Nullable Status> seen = new AtomicReference<>();
    after(
        Duration.ofHours(4),
        () -> {
          seen.set(running().status());
          running().proceed(go(Duration.ofHours(1)));
          running().proceed(go(Duration.ofHours(1)));
        });

    assertThat(upgradeAhead().outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(seen.get()).isNotNull().returns(Phase.WAIT, Status::phase);
    assertThat(Optional.ofNullable(seen.get()).orElseThrow().waits())
        .singleElement()
        .returns(WaitFor.GO, Wait::what)
        .returns(Step.UPGRADE, Wait::step)
        .returns("uplift", Wait::from)
        .returns("ann to let it go on, once its window is open", Wait::sentence);
    assertThat(lasted()).isBetween(Duration.ofHours(4), Duration.ofHours(5));
    keepHistoryAs("upgraded-after-go");
  }

  @Test
  void wordThatComesBeforeItHasPreparedCounts() {
    records.opens(in(Duration.ZERO), in(Duration.ofHours(1)));
    fleet.during("prepare left", () -> running().proceed(go(Duration.ofHours(1))));

    assertThat(upgradeAhead().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void windowThatClosesMeanwhileIsNotUsed() {
    Instant next = in(Duration.ofHours(10));
    records.opens(next, next.plus(Duration.ofHours(1)));
    after(Duration.ofHours(1), () -> running().proceed(go(Duration.ofMinutes(-1))));

    assertThat(upgradeAhead().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(lasted()).isGreaterThanOrEqualTo(Duration.ofHours(10));
  }

  @Test
  void deviceThatIsNeverLetExpiresUntouched() {
    records.opens(in(Duration.ZERO), in(Duration.ofDays(2)));

    assertThat(upgradeAhead().outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(fleet.log()).containsExactly("prepare left", "rollback left");
  }
}
