package dev.uplift.workflows.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.UpgradePlan.RequiredApproval;
import io.temporal.client.WorkflowUpdateException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The approval of another person before a device is changed, and the time limit for it.
final class ApprovalTest extends DeviceUpgradeScenario {
  private static final Operator BOB = new Operator("bob", "saw it run at site-6");
  private static final Duration HOUR = Duration.ofHours(1);

  private final AtomicReference<@Nullable UpgradeStatus> seen = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> rejection = new AtomicReference<>();

  private UpgradeResult upgradeOnceApproved() {
    return upgrade(plan("left").withApproval(new RequiredApproval("ann")));
  }

  private void rejected(Runnable update) {
    try {
      update.run();
    } catch (WorkflowUpdateException e) {
      rejection.set(e.getCause());
    }
  }

  @Test
  void anotherPersonApproves() {
    after(
        HOUR,
        () -> {
          seen.set(running().status());
          rejected(() -> running().approve(ANN));
          running().approve(BOB);
        });

    assertThat(upgradeOnceApproved().outcome()).isEqualTo(Outcome.UPGRADED);

    assertThat(seen.get()).isNotNull().returns(Phase.WAIT, UpgradeStatus::phase);
    assertThat(rejection.get()).hasMessageContaining("needs the approval of another person than ann");
    assertThat(fleet.log()).startsWith("prepare left", "upgrade left");
    assertThat(lasted()).isGreaterThanOrEqualTo(HOUR);
    keepHistoryAs("upgraded-once-approved");
  }

  @Test
  void earlyApprovalCounts() {
    fleet.during(
        "prepare left",
        () -> {
          running().approve(BOB);
          rejected(() -> running().approve(BOB));
        });

    assertThat(upgradeOnceApproved().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(rejection.get()).hasMessageContaining("is approved already");
  }

  @Test
  void deniedUpgradeIsDeclined() {
    after(HOUR, () -> running().deny(BOB));

    UpgradeResult result = upgradeOnceApproved();

    assertThat(result.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result.reason().orElseThrow())
        .returns("denied", Reason::code)
        .returns("bob: saw it run at site-6", Reason::message);
    assertThat(fleet.log()).containsExactly("prepare left", "rollback left");
    keepHistoryAs("declined-denied");
  }

  @Test
  void upgradeWithoutApprovalOrDenialExpires() {
    assertThat(upgradeOnceApproved().outcome()).isEqualTo(Outcome.EXPIRED);
  }

  @Test
  void approvalIsRejectedIfNoneIsRequired() {
    fleet.during("prepare left", () -> rejected(() -> running().approve(BOB)));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(rejection.get()).hasMessageContaining("needs no approval");
  }

  @Test
  void extendedDeadlineGivesTimeToAttendToAHost() {
    fleet.on("upgrade left", FakeFleet.fails(ErrorClass.NEEDS_PERSON, "disk-full"));
    Instant later = in(Duration.ofDays(2));
    after(
        HOUR,
        () -> {
          running().extendDeadline(later, ANN);
          seen.set(running().status());
        });
    after(
        Duration.ofHours(30),
        () -> {
          fleet.behaveNormally("upgrade left");
          running().retryStep(LEFT, ANN);
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(seen.get()).isNotNull().returns(later, status -> status.state().notAfter());
    assertThat(history().getEvents()).isNotEmpty();
    keepHistoryAs("upgraded-with-more-time");
  }

  @Test
  void hostWithTooLittleTimeToPrepareIsAskedAgain() {
    time = Duration.ofMinutes(10);
    fleet.on("prepare left", FakeFleet.isSilentAtFirst());
    fleet.during("prepare left", () -> running().extendDeadline(in(Duration.ofHours(5)), ANN));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(fleet.log()).startsWith("prepare left", "prepare left", "upgrade left");
  }

  @Test
  void deadlineIsNeitherShortenedNorExtendedTooFar() {
    fleet.during(
        "prepare left",
        () -> {
          assertThatThrownBy(() -> running().extendDeadline(in(HOUR), ANN)).cause().hasMessageContaining("already");
          assertThatThrownBy(() -> running().extendDeadline(in(Duration.ofDays(15)), ANN))
              .cause()
              .hasMessageContaining("has at most 14 days from now");
          seen.set(running().status());
        });

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    // Asserted here, because an assertion in a host would be lost.
    assertThat(seen.get()).isNotNull();
  }
}
