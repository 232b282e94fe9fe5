package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.TestStacks;
import dev.uplift.store.PageRequest;
import dev.uplift.store.audit.AuditRow;
import dev.uplift.store.policy.PolicyEvaluationRow;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.policy.PolicyInput;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Policies on a real Temporal, over hosts that are played.
final class PolicyRolloutTest extends PolicyScenario {
  @Test
  void aPolicyUpgradesItsDevicesAndThoseThatJoinLater(TestInfo info) {
    String fleet = fleet(info, 3);
    run(OLD, names(fleet, 3));
    tables.channels().move(TestStacks.TENANT, fleet, RolloutTestWorker.RELEASE, "ann");

    PolicyId policy = enable(fleet, new PolicyTarget.Channel(fleet), 0);

    RolloutRow first = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    assertThat(ended(first.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.targets(first.id())).extracting(TargetRow::device).containsExactlyInAnyOrder(names(fleet, 3));
    run(RolloutTestWorker.RELEASE, names(fleet, 3));
    worker.register(fleet, fleet + "-late", "");
    run(OLD, fleet + "-late");
    signals.recheckDevices(TestStacks.TENANT, List.of(fleet + "-late"));

    RolloutRow second = awaitRollout(policy, RolloutTestWorker.RELEASE, 2);
    assertThat(ended(second.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.targets(second.id())).extracting(TargetRow::device).containsExactly(fleet + "-late");
    run(RolloutTestWorker.RELEASE, fleet + "-late");
    workflows.recheck(policy);
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> evaluation(policy).flatMap(PolicyEvaluationRow::completeSince).isPresent());
    disable(policy);
  }

  /// No reconciler has run since.
  @Test
  void aHostThatIsHeardSoonAfterThePolicyWasEnabledHasItsDeviceUpgraded(TestInfo info) {
    String fleet = fleet(info, 1);
    PolicyId policy = enable(fleet, new PolicyTarget.Exactly("1.5.0"), 0);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> evaluation(policy).isPresent());
    String[] device = names(fleet, 1);
    run(OLD, device);

    signals.recheckHosts(TestStacks.TENANT, Set.of(new HostId(device[0] + "-left")));

    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    disable(policy);
  }

  @Test
  void aNewerReleaseSupersedesTheRolloutSoftly(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    tables.channels().move(TestStacks.TENANT, fleet, RolloutTestWorker.RELEASE, "ann");
    worker.hosts.blockPrepare();
    PolicyId policy = enable(fleet, new PolicyTarget.Channel(fleet), 0);
    RolloutRow first = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(first.id()) > 0);

    tables.channels().move(TestStacks.TENANT, fleet, NEWER, "ann");
    signals.recheckPackage(TestStacks.TENANT, "os");

    RolloutRow second = awaitRollout(policy, NEWER, 1);
    worker.hosts.unblock();
    assertThat(ended(first.id()).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(ended(second.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.targets(second.id())).extracting(TargetRow::device).containsExactlyInAnyOrder(names(fleet, 2));
    disable(policy);
  }

  @Test
  void otherWindowsOfThePolicyCountForItsOpenRolloutToo(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    var target = new PolicyTarget.Exactly("1.5.0");
    PolicyId policy = put(fleet, fleet, target, 0, new PolicyRepeat.Always(), List.of(windowInThreeDays()));
    enable(policy);
    RolloutRow first = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    workflows.recheck(policy);

    put(fleet, fleet, target, 0);
    workflows.recheck(policy);

    assertThat(ended(first.id()).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(upgradedIn(first)).isEmpty();
    workflows.recheck(policy);
    RolloutRow second = awaitRollout(policy, RolloutTestWorker.RELEASE, 2);
    assertThat(ended(second.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(upgradedIn(second)).hasSize(2);
    disable(policy);
  }

  private static Window windowInThreeDays() {
    DayOfWeek day = LocalDate.now(ZoneOffset.UTC).plusDays(3).getDayOfWeek();
    return Window.of(Set.of(day), LocalTime.of(12, 0), Optional.of(ZoneOffset.UTC), Duration.ofHours(1));
  }

  /// OH-99, OH-102: devices that back each other up.
  @Test
  void devicesOfAGroupAreUpgradedOneAtATime(TestInfo info) {
    String fleet = fleet(info, 0);
    for (String device : names(fleet, 4)) {
      worker.register(device, Map.of("fleet", fleet, "ha", fleet), "");
    }
    run(OLD, names(fleet, 4));
    var limits = new RolloutLimits(10, 0, Optional.empty(), List.of(new GroupLimit("ha", 1)));
    RolloutPlan plan = with(RolloutTestWorker.plan(fleet), List.of(WaveSpec.of(new WaveSize.Rest())), limits);

    PolicyId policy = put(fleet, fleet, new PolicyTarget.Exactly("1.5.0"), 0, new PolicyRepeat.Always(), plan);
    enable(policy);

    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(upgradedIn(rollout)).hasSize(4);
    assertThat(worker.hosts.maxConcurrent(device -> device.startsWith(fleet))).isEqualTo(1);
    disable(policy);
  }

  @Test
  void ofTwoOpposedPoliciesOneDecidesHoweverOftenTheyAreAsked(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    PolicyId decides = put(fleet + "-high", fleet, new PolicyTarget.Exactly("1.5.0"), 5);
    PolicyId loses = put(fleet + "-low", fleet, new PolicyTarget.Exactly("1.6.0"), 1);
    enable(loses, decides);
    enable(decides);

    RolloutRow rollout = awaitRollout(decides, RolloutTestWorker.RELEASE, 1);
    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    run(RolloutTestWorker.RELEASE, names(fleet, 2));
    for (int i = 0; i < 5; i++) {
      Instant before = Instant.now();
      signals.recheckPackage(TestStacks.TENANT, "os");
      await()
          .atMost(RolloutTestWorker.TIMEOUT)
          .until(() -> isEvaluatedSince(decides, before) && isEvaluatedSince(loses, before));
    }

    assertThat(tables.ofPolicies().findNewest(decides, 10)).hasSize(1);
    assertThat(tables.ofPolicies().findNewest(loses, 10)).isEmpty();
    assertThat(states(loses)).allMatch(status -> status.state() == PolicyDeviceState.CONFLICT);
    assertThat(evaluation(loses).orElseThrow().conflicts()).containsExactly(decides.name());
    assertThat(audit("policy.conflict", loses)).hasSize(1);
    disable(decides);
    disable(loses);
  }

  @Test
  void aVersionThatFailedOnADeviceIsNotTriedAgainThere(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    worker.hosts.fail(fleet + "-01");
    PolicyId policy = enable(fleet, new PolicyTarget.AtLeast("1.5.0"), 0);
    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    worker.awaitState(rollout.id(), RolloutState.PAUSED);
    worker.update(rollout.id(), OperatorAction.RESUME);
    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.PARTIAL);
    run(RolloutTestWorker.RELEASE, fleet + "-02");
    Instant before = Instant.now();
    workflows.recheck(policy);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> isEvaluatedSince(policy, before));

    assertThat(tables.ofPolicies().findNewest(policy, 10)).hasSize(1);
    assertThat(states(policy))
        .extracting(PolicyDeviceStatus::state)
        .containsExactly(PolicyDeviceState.FAILED, PolicyDeviceState.SATISFIED);
    assertThat(states(policy).getFirst().message()).contains(rollout.name(), "/var: 12 MB left");
    disable(policy);
  }

  @Test
  void aDisabledPolicyStopsItsRolloutSoftly(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    worker.hosts.blockPrepare();
    PolicyId policy = enable(fleet, new PolicyTarget.Exactly("1.5.0"), 0);
    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(rollout.id()) > 0);

    disable(policy);
    worker.hosts.unblock();

    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(upgradedIn(rollout)).hasSize(1);
  }

  @Test
  void aRolloutThatAPersonAbortedIsBegunAgainOnlyIfThePolicyIsEnabledAgain(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    worker.hosts.blockPrepare();
    PolicyId policy = enable(fleet, new PolicyTarget.Exactly("1.5.0"), 0);
    RolloutRow first = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(first.id()) > 0);
    worker.update(first.id(), OperatorAction.ABORT);
    worker.hosts.unblock();
    ended(first.id());
    run(RolloutTestWorker.RELEASE, upgradedIn(first).toArray(String[]::new));

    Instant before = Instant.now();
    workflows.recheck(policy);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> isEvaluatedSince(policy, before));

    assertThat(tables.ofPolicies().findNewest(policy, 10)).hasSize(1);
    assertThat(states(policy))
        .extracting(PolicyDeviceStatus::reason)
        .containsExactlyInAnyOrder("satisfied", "rollout-aborted");
    enable(policy);
    RolloutRow second = awaitRollout(policy, RolloutTestWorker.RELEASE, 2);
    assertThat(ended(second.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    disable(policy);
  }

  @Test
  void noOtherRolloutBeginsWhileOneThatAPersonAbortedEnds(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    worker.hosts.blockPrepare();
    PolicyId policy = enable(fleet, new PolicyTarget.Exactly("1.5.0"), 0);
    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(rollout.id()) > 0);
    worker.update(rollout.id(), OperatorAction.ABORT);

    worker.register(fleet, fleet + "-late", "");
    run(OLD, fleet + "-late");
    Instant before = Instant.now();
    workflows.recheck(policy);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> isEvaluatedSince(policy, before));

    assertThat(states(policy))
        .filteredOn(status -> status.device().equals(fleet + "-late"))
        .extracting(PolicyDeviceStatus::reason)
        .containsExactly("rollout-aborted");
    disable(policy);
    assertThat(tables.ofPolicies().findNewest(policy, 10)).hasSize(1);
    worker.hosts.unblock();
    ended(rollout.id());
  }

  @Test
  void aPolicyThatIsDisabledWhileItsDevicesAreLookedAtBeginsNothing(TestInfo info) {
    String fleet = fleet(info, 1);
    run(OLD, names(fleet, 1));
    PolicyId policy = put(fleet, fleet, new PolicyTarget.Exactly("1.5.0"), 0);
    worker.presence.whenAsked(fleet + "-01", () -> tables.policies().setEnabled(policy, false, "ann"));

    enable(policy);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> !workflows.isRunning(policy));
    assertThat(row(policy).enabled()).isFalse();
    assertThat(tables.ofPolicies().findNewest(policy, 10)).isEmpty();
  }

  /// The server that disabled the policy was killed before it told its workflow.
  @Test
  void theReconcilerStopsWhatADisabledPolicyWithoutAWorkflowHasLeftOpen(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    worker.hosts.blockPrepare();
    PolicyId policy = enable(fleet, new PolicyTarget.Exactly("1.5.0"), 0);
    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(rollout.id()) > 0);
    worker
        .temporal()
        .requestClient()
        .newUntypedWorkflowStub(PolicyInput.workflowId(policy.tenant(), policy.name()))
        .terminate("by hand");
    tables.policies().setEnabled(policy, false, "ann");

    worker.runPolicyReconciler();

    worker.awaitState(rollout.id(), RolloutState.ABORTING);
    worker.hosts.unblock();
    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(upgradedIn(rollout)).hasSize(1);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> !workflows.isRunning(policy));
  }

  private List<AuditRow> audit(String action, PolicyId id) {
    return worker
        .repositories
        .audit()
        .list(TestStacks.TENANT, Optional.of("policy/" + id.name()), PageRequest.first(100))
        .rows()
        .stream()
        .filter(entry -> entry.entry().action().equals(action))
        .toList();
  }
}
