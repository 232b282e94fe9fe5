package dev.uplift.workflows.device.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradeTimeouts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DeadlinesTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Reason FIRST = Reason.error(ErrorClass.FINAL, "bad-image", "for the test");
  private static final Reason SECOND = Reason.abort("ann: too late");

  private final Deadlines course =
      new Deadlines(
          new UpgradePlan(
              "u-1",
              new DeviceId("acme", "site-7"),
              List.of(new HostId("left")),
              new Release("os", "1.5.0"),
              RollbackScope.DEVICE,
              false,
              "ann",
              true,
              Duration.ZERO,
              NOON,
              UpgradeTimeouts.DEFAULTS));

  @Test
  void firstReasonIsKept() {
    course.requestStop(FIRST);
    course.requestStop(SECOND);

    assertThat(course.reason()).contains(FIRST);
  }

  @Test
  void whatStoppedItIsSaidRatherThanWhomItLeftOut() {
    course.recordSkip(SECOND);
    assertThat(course.reason()).contains(SECOND);

    course.requestStop(FIRST);
    assertThat(course.reason()).contains(FIRST);
  }

  @Test
  void goesOnUntilItIsStopped() {
    course.throwIfStopped();
    course.requestStop(FIRST);

    assertThat(course.canBeStopped()).isFalse();
    assertThatThrownBy(course::throwIfStopped).isInstanceOf(UpgradeStopped.class);
  }

  @Test
  void wayBackIsNotStoppedByWhatLedToIt() {
    course.requestStop(FIRST);
    course.pause(new Operator("ann", ""));
    course.startRollback(NOON.plusSeconds(60));

    course.throwIfStopped();
    assertThat(course.isForward()).isFalse();
    assertThat(course.canBeStopped()).isFalse();
    assertThat(course.pausedBy()).isEmpty();
    assertThat(course.notAfter()).isEqualTo(NOON.plusSeconds(60));
  }

  @Test
  void upgradeThatHasArrivedTakesNoAbort() {
    course.complete();

    assertThat(course.canBeStopped()).isFalse();
  }
}
