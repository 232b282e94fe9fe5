package dev.uplift.workflows.device.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.device.procedure.Deadlines.UpgradeStopped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DeadlinesTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Reason FIRST = Reason.error(ErrorClass.FINAL, "bad-image", "for the test");
  private static final Reason SECOND = Reason.abort("ann: too late");

  private final Deadlines deadlines =
      new Deadlines(
          new UpgradePlan(
              "u-1",
              new DeviceId("acme", "site-7"),
              List.of(new HostId("left")),
              new Release("os", "1.5.0"),
              new UpgradePlan.Options(RollbackScope.DEVICE, false, Duration.ZERO, NOON, UpgradeTimeouts.DEFAULTS),
              UpgradePlan.Origin.person("ann")));

  @Test
  void firstReasonIsKept() {
    deadlines.requestStop(FIRST);
    deadlines.requestStop(SECOND);

    assertThat(deadlines.reason()).contains(FIRST);
  }

  @Test
  void reasonOfTheStopPrecedesThatOfASkip() {
    deadlines.recordSkip(SECOND);
    assertThat(deadlines.reason()).contains(SECOND);

    deadlines.requestStop(FIRST);
    assertThat(deadlines.reason()).contains(FIRST);
  }

  @Test
  void continuesUntilItIsStopped() {
    deadlines.throwIfStopped();
    deadlines.requestStop(FIRST);

    assertThat(deadlines.canBeStopped()).isFalse();
    assertThatThrownBy(deadlines::throwIfStopped).isInstanceOf(UpgradeStopped.class);
  }

  @Test
  void rollbackIsNotStoppedByItsOwnReason() {
    deadlines.requestStop(FIRST);
    deadlines.pause(new Operator("ann", ""));
    deadlines.startRollback(NOON.plusSeconds(60));

    deadlines.throwIfStopped();
    assertThat(deadlines.isForward()).isFalse();
    assertThat(deadlines.canBeStopped()).isFalse();
    assertThat(deadlines.pausedBy()).isEmpty();
    assertThat(deadlines.notAfter()).isEqualTo(NOON.plusSeconds(60));
  }

  @Test
  void completedUpgradeAcceptsNoAbort() {
    deadlines.complete();

    assertThat(deadlines.canBeStopped()).isFalse();
  }
}
