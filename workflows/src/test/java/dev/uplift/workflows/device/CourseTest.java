package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CourseTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
  private static final Reason FIRST = Reason.error(ErrorClass.FINAL, "bad-image", "for the test");
  private static final Reason SECOND = Reason.abort("ann: too late");

  private final Course course =
      new Course(
          new UpgradePlan(
              "u-1",
              new DeviceId("acme", "site-7"),
              List.of(new HostId("left")),
              new Release("os", "1.5.0"),
              Reach.DEVICE,
              false,
              "ann",
              true,
              Duration.ZERO,
              NOON,
              Pace.USUAL));

  @Test
  void firstReasonIsKept() {
    course.stop(FIRST);
    course.stop(SECOND);

    assertThat(course.reason()).contains(FIRST);
  }

  @Test
  void whatStoppedItIsSaidRatherThanWhomItLeftOut() {
    course.excuse(SECOND);
    assertThat(course.reason()).contains(SECOND);

    course.stop(FIRST);
    assertThat(course.reason()).contains(FIRST);
  }

  @Test
  void goesOnUntilItIsStopped() {
    course.goOn();
    course.stop(FIRST);

    assertThat(course.canBeStopped()).isFalse();
    assertThatThrownBy(course::goOn).isInstanceOf(Stopped.class);
  }

  @Test
  void wayBackIsNotStoppedByWhatLedToIt() {
    course.stop(FIRST);
    course.pause(new Operator("ann", ""));
    course.turnBack(NOON.plusSeconds(60));

    course.goOn();
    assertThat(course.isForward()).isFalse();
    assertThat(course.canBeStopped()).isFalse();
    assertThat(course.pausedBy()).isEmpty();
    assertThat(course.notAfter()).isEqualTo(NOON.plusSeconds(60));
  }

  @Test
  void upgradeThatHasArrivedTakesNoAbort() {
    course.arrive();

    assertThat(course.canBeStopped()).isFalse();
  }
}
