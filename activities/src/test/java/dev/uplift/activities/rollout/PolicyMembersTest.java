package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyStart;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.policy.UnknownVersion;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.services.TestStacks;
import dev.uplift.services.policy.PolicyJson;
import dev.uplift.services.policy.PolicySpec;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Devices that come to an open rollout of a policy, and devices that leave it, on a real Temporal.
final class PolicyMembersTest extends PolicyScenario {
  private static final PolicyTarget TARGET = new PolicyTarget.Exactly("1.5.0");

  @Test
  void devicesOfAWiderSelectionJoinTheOpenRollout(TestInfo info) {
    String fleet = fleet(info, 2);
    String wider = fleet + "w";
    worker.register(wider, 2);
    run(OLD, names(fleet, 2));
    run(OLD, names(wider, 2));
    PolicyId policy = enableBlocked(fleet);
    RolloutRow rollout = awaitUpgradeIn(policy);

    store(policy, "labels.fleet in ['%s', '%s']".formatted(fleet, wider), false);
    look(policy);

    awaitReport(policy, "2 devices in rollout " + rollout.name());
    assertThat(worker.targets(rollout.id()))
        .extracting(TargetRow::device)
        .containsExactlyInAnyOrder(fleet + "-01", fleet + "-02", wider + "-01", wider + "-02");
    worker.hosts.unblock();
    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(upgradedIn(rollout)).hasSize(4);
    disable(policy);
  }

  @Test
  void aDeviceThatTheRolloutCannotTakeIsNotSaidToBeInIt(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    PolicyId policy = enableBlocked(fleet);
    RolloutRow rollout = awaitUpgradeIn(policy);
    worker.register(fleet, fleet + "-late", "");
    worker.register(fleet, fleet + "-gone", "");
    run(OLD, fleet + "-late", fleet + "-gone");
    worker.presence.whenAsked(fleet + "-late", () -> worker.register(fleet + "-gone", Map.of(), ""));

    look(policy);

    awaitReport(policy, "1 device in rollout " + rollout.name());
    assertThat(worker.targets(rollout.id())).extracting(TargetRow::device).doesNotContain(fleet + "-gone");
    worker.hosts.unblock();
    ended(rollout.id());
    disable(policy);
  }

  @Test
  void aPolicyThatMayDowngradeFromNowOnBeginsAnotherRollout(TestInfo info) {
    String fleet = fleet(info, 2);
    run(OLD, names(fleet, 2));
    worker.register(fleet, fleet + "-newer", "");
    run(NEWER, fleet + "-newer");
    PolicyId policy = enableBlocked(fleet);
    RolloutRow first = awaitUpgradeIn(policy);

    store(policy, "labels.fleet == '%s'".formatted(fleet), true);
    workflows.recheck(policy);

    RolloutRow second = awaitRollout(policy, RolloutTestWorker.RELEASE, 2);
    assertThat(worker.targets(second.id())).extracting(TargetRow::device).containsExactly(fleet + "-newer");
    worker.hosts.unblock();
    assertThat(ended(first.id()).outcome()).contains(RolloutOutcome.ABORTED);
    disable(policy);
  }

  @Test
  void aDeviceThatLosesItsLabelIsLeftOutOfTheOpenRollout(TestInfo info) {
    String fleet = fleet(info, 3);
    run(OLD, names(fleet, 3));
    PolicyId policy = enableBlocked(fleet);
    RolloutRow rollout = awaitUpgradeIn(policy);
    String device = in(TargetState.PENDING, rollout).getFirst();

    worker.register(device, Map.of("fleet", "none"), "");
    signals.recheckDevices(TestStacks.TENANT, List.of(device));

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> in(TargetState.SKIPPED, rollout).equals(List.of(device)));
    worker.hosts.unblock();
    ended(rollout.id());
    assertThat(upgradedIn(rollout)).hasSize(2).doesNotContain(device);
    disable(policy);
  }

  @Test
  void aDeviceForWhichAHigherPolicyDecidesIsLeftOutOfTheOpenRollout(TestInfo info) {
    String fleet = fleet(info, 3);
    run(OLD, names(fleet, 3));
    PolicyId policy = enableBlocked(fleet);
    RolloutRow rollout = awaitUpgradeIn(policy);
    String device = in(TargetState.PENDING, rollout).getFirst();
    worker.register(device, Map.of("fleet", fleet, "special", fleet), "");

    PolicyId higher = put(fleet + "-high", fleet, new PolicyTarget.Exactly("1.6.0"), 5);
    store(higher, new PolicyTarget.Exactly("1.6.0"), "labels.special == '%s'".formatted(fleet), 5, false);
    enable(higher);
    look(policy);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> in(TargetState.SKIPPED, rollout).equals(List.of(device)));
    RolloutRow other = awaitRollout(higher, NEWER, 1);
    worker.hosts.unblock();
    ended(rollout.id());
    assertThat(upgradedIn(rollout)).hasSize(2).doesNotContain(device);
    ended(other.id());
    assertThat(upgradedIn(other)).containsExactly(device);
    disable(policy);
    disable(higher);
  }

  @Test
  void manyDevicesAreLeftOutInSeveralActions(TestInfo info) {
    int count = 1100;
    String fleet = fleet(info, 0);
    String[] devices = new String[count];
    Arrays.setAll(devices, i -> "%s-%04d".formatted(fleet, i));
    for (String device : devices) {
      worker.register(fleet, device, "");
    }
    run(OLD, devices);
    PolicyId policy = enableBlocked(fleet);
    RolloutRow rollout = awaitUpgradeIn(policy);

    store(policy, "labels.fleet == 'nobody'", false);
    look(policy);

    awaitReport(policy, "left out of rollout %s: %d devices".formatted(rollout.name(), count - 1));
    assertThat(decisions(rollout.id())).filteredOn("skip-device"::equals).hasSize(3);
    worker.hosts.unblock();
    ended(rollout.id());
    assertThat(upgradedIn(rollout)).hasSize(1);
    disable(policy);
  }

  /// While a wave is rolled back no device can be left out; none begins either.
  @Test
  void whatTheRolloutRefusesToLeaveOutIsSaidAndLeftOutLater(TestInfo info) {
    String fleet = fleet(info, 3);
    run(OLD, names(fleet, 3));
    PolicyId policy = enableBlocked(fleet);
    RolloutRow rollout = awaitUpgradeIn(policy);
    String device = in(TargetState.PENDING, rollout).getFirst();
    worker.update(rollout.id(), OperatorAction.ROLL_BACK_WAVE);
    worker.awaitState(rollout.id(), RolloutState.ROLLING_BACK);

    worker.register(device, Map.of("fleet", "none"), "");
    look(policy);

    awaitReport(policy, "rollout %s leaves 1 device in: the rollout is rolling-back".formatted(rollout.name()));
    assertThat(report(policy).nextChange()).isPresent();
    worker.hosts.unblock();
    worker.awaitState(rollout.id(), RolloutState.PAUSED);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> in(TargetState.SKIPPED, rollout).contains(device));
    disable(policy);
  }

  /// Enables a policy whose upgrades wait in their first step.
  private PolicyId enableBlocked(String fleet) {
    worker.hosts.blockPrepare();
    return enable(fleet, TARGET, 0);
  }

  /// Returns the first rollout of the policy, when it has begun with a device; the others wait.
  private RolloutRow awaitUpgradeIn(PolicyId policy) {
    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(rollout.id()) > 0);
    return rollout;
  }

  private void awaitReport(PolicyId policy, String message) {
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .untilAsserted(() -> assertThat(report(policy).message()).startsWith(message));
  }

  private void store(PolicyId policy, String selection, boolean allowDowngrade) {
    store(policy, TARGET, selection, 0, allowDowngrade);
  }

  private void store(PolicyId policy, PolicyTarget target, String selection, int priority, boolean allowDowngrade) {
    RolloutSpec rollout = PolicyJson.read(row(policy).spec()).rollout();
    var spec =
        new PolicySpec(
            target,
            selection,
            false,
            false,
            PolicyStart.NOW,
            new PolicyRepeat.Always(),
            UnknownVersion.LEAVE,
            new RolloutSpec("", rollout.plan(), RollbackScope.DEVICE, Duration.ZERO, allowDowngrade));
    tables.policies().put(new NewPolicy(policy, "", "", "os", priority, PolicyJson.write(spec)), "ann");
  }
}
