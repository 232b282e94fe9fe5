package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.reconciler.IncompletePass;
import dev.uplift.activities.temporal.PolicyScheduleClient;
import dev.uplift.activities.temporal.RequestSeal;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.rollout.RolloutRow;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleDescription;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.client.schedules.ScheduleHandle;
import io.temporal.client.schedules.SchedulePolicy;
import java.time.Duration;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// The schedules of policies that begin in runs, on a real Temporal.
final class PolicyScheduleTest extends PolicyScenario {
  private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");
  private static final PolicyRepeat EACH_NEW_YEAR = new PolicyRepeat.Cron("0 4 1 1 *", TOKYO);
  private static final PolicyRepeat EACH_FOURTH_OF_MARCH = new PolicyRepeat.Cron("0 4 4 3 *", TOKYO);

  @Test
  void aPolicyWithACronLineBeginsInRunsAlone(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    PolicyId policy = enable(fleet, EACH_NEW_YEAR);
    signals.recheck(row(policy));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> evaluation(policy).isPresent());
    assertThat(states(policy)).extracting(PolicyDeviceStatus::reason).containsOnly("next-run");
    assertThat(tables.ofPolicies().findNewest(policy, 10)).isEmpty();
    awaitRunsOn(policy, MonthDay.of(1, 1));
    SchedulePolicy rules = Objects.requireNonNull(schedule(policy).describe().getSchedule().getPolicy());
    assertThat(rules.getOverlap()).isEqualTo(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP);
    assertThat(rules.getCatchupWindow()).isEqualTo(Duration.ofHours(1));

    schedule(policy).trigger();

    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.targets(rollout.id())).hasSize(2);
    disableWithSchedule(policy);
  }

  @Test
  void aScheduleThatWasLeftBehindIsRemovedByItsRun(TestInfo info) {
    PolicyId policy = enable(satisfiedFleet(info), EACH_NEW_YEAR);
    apply(policy);
    tables.policies().remove(policy);

    schedule(policy).trigger();

    awaitNoSchedule(policy);
  }

  @Test
  void aScheduleFollowsItsPolicyHoweverOftenItIsApplied(TestInfo info) {
    String fleet = satisfiedFleet(info);
    PolicyId policy = enable(fleet, EACH_NEW_YEAR);
    apply(policy);
    apply(policy);
    assertThat(schedule(policy).describe().getInfo().getLastUpdatedAt()).as("nothing differed").isNull();

    put(fleet, EACH_FOURTH_OF_MARCH);
    apply(policy);
    apply(policy);

    awaitRunsOn(policy, MonthDay.of(3, 4));
    put(fleet, new PolicyRepeat.Always());
    apply(policy);
    apply(policy);
    awaitNoSchedule(policy);
    schedules.remove(policy);
  }

  @Test
  void changesOfAPolicyMayBeToldInAnyOrder(TestInfo info) {
    String fleet = satisfiedFleet(info);
    PolicyId policy = enable(fleet, EACH_NEW_YEAR);
    var before = row(policy);
    put(fleet, EACH_FOURTH_OF_MARCH);

    signals.recheck(row(policy));
    awaitRunsOn(policy, MonthDay.of(3, 4));
    signals.recheck(before);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> workflows.isRunning(policy));
    awaitRunsOn(policy, MonthDay.of(3, 4));

    tables.policies().remove(policy);
    signals.recheck(before);
    awaitNoSchedule(policy);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> !workflows.isRunning(policy));
  }

  @Test
  void theReconcilerSetsRightWhatAnOlderCopyOfTheTablesOrAPersonLeaves(TestInfo info) {
    String fleet = satisfiedFleet(info);
    PolicyId policy = enable(fleet, EACH_NEW_YEAR);

    worker.runPolicyReconciler();
    awaitRunsOn(policy, MonthDay.of(1, 1));

    put(fleet, EACH_FOURTH_OF_MARCH);
    worker.runPolicyReconciler();
    awaitRunsOn(policy, MonthDay.of(3, 4));

    schedule(policy).pause("by hand");
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> isPaused(policy));
    worker.runPolicyReconciler();
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> !isPaused(policy));

    schedule(policy).delete();
    worker.runPolicyReconciler();
    awaitRunsOn(policy, MonthDay.of(3, 4));
    disableWithSchedule(policy);
  }

  @Test
  void aPolicyThatCannotBeReadDoesNotKeepTheNextOneFromBeingReconciled(TestInfo info) {
    String fleet = satisfiedFleet(info);
    PolicyId policy = enable(fleet, EACH_NEW_YEAR);
    var unreadable = new PolicyId(policy.tenant(), "a-first-one");
    tables.policies().put(new NewPolicy(unreadable, "", "", "os", 0, "{"), "ann");
    tables.policies().setEnabled(unreadable, true, "ann");

    assertThatThrownBy(worker::runPolicyReconciler)
        .isInstanceOf(IncompletePass.class)
        .hasMessageStartingWith("1 x policy failed");

    awaitRunsOn(policy, MonthDay.of(1, 1));
    tables.policies().remove(unreadable);
    worker.runPolicyReconciler();
    disableWithSchedule(policy);
  }

  @Test
  void aScheduleIsSealedAgainAfterAChangeOfTheSecret(TestInfo info) {
    String fleet = fleet(info, 1);
    run(OLD, names(fleet, 1));
    PolicyId policy = enable(fleet, EACH_NEW_YEAR);
    try (TemporalClients before = worker.openTemporalClients(new RequestSeal("the secret before"))) {
      new PolicyScheduleClient(before).apply(row(policy));
    }
    worker.runPolicyReconciler();
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> schedule(policy).describe().getInfo().getLastUpdatedAt() != null);

    schedule(policy).trigger();

    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    disableWithSchedule(policy);
  }

  /// Returns the label of a device that needs no upgrade.
  private static String satisfiedFleet(TestInfo info) {
    String fleet = fleet(info, 1);
    run(RolloutTestWorker.RELEASE, names(fleet, 1));
    return fleet;
  }

  private PolicyId put(String fleet, PolicyRepeat repeat) {
    return put(fleet, fleet, new PolicyTarget.Exactly("1.5.0"), 0, repeat, List.of());
  }

  private PolicyId enable(String fleet, PolicyRepeat repeat) {
    PolicyId policy = put(fleet, repeat);
    tables.policies().setEnabled(policy, true, "ann");
    return policy;
  }

  private void disableWithSchedule(PolicyId policy) {
    signals.recheck(tables.policies().setEnabled(policy, false, "ann"));
    awaitNoSchedule(policy);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> !workflows.isRunning(policy));
  }

  private static void awaitRunsOn(PolicyId policy, MonthDay day) {
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .ignoreExceptionsInstanceOf(ScheduleException.class)
        .untilAsserted(() -> {
          ScheduleDescription description = schedule(policy).describe();
          assertThat(description.getInfo().getNextActionTimes())
              .isNotEmpty()
              .allMatch(time -> MonthDay.from(time.atZone(TOKYO)).equals(day));
        });
  }

  private static void awaitNoSchedule(PolicyId policy) {
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .untilAsserted(
            () -> assertThatThrownBy(() -> schedule(policy).describe()).isInstanceOf(ScheduleException.class));
  }

  private static boolean isPaused(PolicyId policy) {
    return Objects.requireNonNull(schedule(policy).describe().getSchedule().getState()).isPaused();
  }

  /// Again, if Temporal has not answered in time, as whoever applies a schedule does.
  private void apply(PolicyId policy) {
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .ignoreException(TemporalUnavailable.class)
        .until(() -> {
          schedules.apply(row(policy));
          return true;
        });
  }

  private static ScheduleHandle schedule(PolicyId policy) {
    return client().getHandle("policy/%s/%s".formatted(policy.tenant(), policy.name()));
  }

  private static ScheduleClient client() {
    WorkflowClient client = worker.temporal().requestClient();
    return ScheduleClient.newInstance(
        client.getWorkflowServiceStubs(),
        ScheduleClientOptions.newBuilder().setNamespace(client.getOptions().getNamespace()).build());
  }
}
