package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.rollout.plan.WindowRule.OnClose;
import dev.uplift.workflows.device.DeviceUpgrade.Operator;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.UpgradePlan.RequiredApproval;
import dev.uplift.workflows.device.UpgradePlan.WindowPolicy;
import io.temporal.api.history.v1.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The records are told of waits for a person or a host, and of no others.
final class RecordedWaitsTest extends DeviceUpgradeScenario {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final Operator BOB = new Operator("bob", "saw it run at site-6");

  private UpgradeResult upgradeOnceApproved() {
    return upgrade(plan("left").withApproval(new RequiredApproval("ann")));
  }

  private Stream<Optional<UpgradeWaitReason>> reasons() {
    return records.waits().stream().map(wait -> wait.map(PendingWait::reason));
  }

  /// Without it the upgrade may end first, and with its end the records know as well.
  private void commitOnceTheEndOfTheWaitIsRecorded(String name) {
    fleet.on(
        "commit " + name,
        (stepRequest, host) -> {
          await().atMost(TIMEOUT).until(() -> records.waits().getLast().isEmpty());
          return host.execute(stepRequest);
        });
  }

  @Test
  void anApprovalIsRecordedAsLongAsItIsAwaited() {
    commitOnceTheEndOfTheWaitIsRecorded("left");
    after(HOUR, () -> running().approve(BOB));

    assertThat(upgradeOnceApproved().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(reasons()).containsExactly(Optional.of(UpgradeWaitReason.APPROVAL), Optional.empty());
  }

  @Test
  void aLaterDeadlineIsRecordedWithTheBeginningOfTheWait() {
    Instant later = in(Duration.ofDays(2));
    after(HOUR, () -> running().extendDeadline(later, ANN));
    after(HOUR.multipliedBy(2), () -> running().approve(BOB));

    assertThat(upgradeOnceApproved().outcome()).isEqualTo(Outcome.UPGRADED);
    List<PendingWait> waits = records.waits().stream().flatMap(Optional::stream).toList();
    assertThat(waits).hasSize(2);
    assertThat(waits.getLast().until()).contains(later);
    assertThat(waits.getLast().since()).isEqualTo(waits.getFirst().since());
  }

  @Test
  void aFailedStepAndAPauseAreRecordedUntilAPersonDecides() {
    fleet.on("upgrade left", fails(NEEDS_PERSON, "disk-full"));
    commitOnceTheEndOfTheWaitIsRecorded("left");
    after(
        HOUR,
        () -> {
          fleet.behaveNormally("upgrade left");
          running().pause(ANN);
          running().retryStep(LEFT, ANN);
        });
    after(HOUR.multipliedBy(2), () -> running().resume(ANN));

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(reasons())
        .containsSubsequence(
            Optional.of(UpgradeWaitReason.PERSON), Optional.of(UpgradeWaitReason.RESUME), Optional.empty());
  }

  @Test
  void ofSeveralWaitsTheOldestIsRecorded() {
    fleet.on("prepare left", fails(NEEDS_PERSON, "disk-full"));
    fleet.on("prepare right", fails(NEEDS_PERSON, "disk-full"));
    commitOnceTheEndOfTheWaitIsRecorded("right");
    after(HOUR, () -> running().skipHost(LEFT, ANN));
    after(
        HOUR.multipliedBy(2),
        () -> {
          fleet.behaveNormally("prepare right");
          running().retryStep(RIGHT, ANN);
        });

    assertThat(upgrade("left", "right").outcome()).isEqualTo(Outcome.PARTIAL);
    List<Optional<HostId>> hosts = records.waits().stream().map(wait -> wait.map(PendingWait::host)).toList();
    assertThat(hosts).endsWith(Optional.of(RIGHT), Optional.empty()).hasSizeLessThanOrEqualTo(3);
  }

  private void powerOffAfterPrepare() {
    fleet.on(
        "prepare left",
        (stepRequest, host) -> {
          StepResult result = host.execute(stepRequest);
          fleet.host("left").powerOff();
          return result;
        });
  }

  @Test
  void aHostThatIsOffIsRecorded() {
    powerOffAfterPrepare();
    commitOnceTheEndOfTheWaitIsRecorded("left");
    after(HOUR, () -> fleet.host("left").powerOn());

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(reasons()).containsExactly(Optional.of(UpgradeWaitReason.OFFLINE), Optional.empty());
  }

  @Test
  void waitsThatEndByThemselvesAreNotRecorded() {
    soak = HOUR;
    records.openWindow(in(HOUR), in(HOUR.multipliedBy(5)));
    fleet.on("upgrade left", FakeFleet.failsAtFirst(1, "link-down"));

    UpgradeResult result =
        upgrade(
            plan("left")
                .withWindow(new WindowPolicy(false, OnClose.FINISH, Duration.ofMinutes(30), Optional.empty(), "")));

    assertThat(result.outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(records.waits()).isEmpty();
  }

  @Test
  void anUpgradeGoesOnWhileItsWaitCannotBeRecorded() {
    records.refuseWaits();
    after(HOUR, () -> running().approve(BOB));

    assertThat(upgradeOnceApproved().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(records.waits()).isEmpty();
    assertThat(scheduledActivities()).as("no local activity that may be repeated").endsWith("end");
  }

  @Test
  void theEndOfAnUpgradeIsTheEndOfItsWait() {
    powerOffAfterPrepare();

    assertThat(upgrade("left").outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(reasons()).containsExactly(Optional.of(UpgradeWaitReason.OFFLINE));
    assertThat(scheduledActivities()).containsOnlyOnce("record-wait").endsWith("end");
  }

  private List<String> scheduledActivities() {
    return history().getEvents().stream()
        .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
        .map(event -> event.getActivityTaskScheduledEventAttributes().getActivityType().getName())
        .toList();
  }
}
