package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.services.TestStacks;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.policy.PolicyInput;
import io.temporal.api.enums.v1.EventType;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// When a policy looks again, and with which devices it begins again, on a real Temporal.
final class PolicyAttemptsTest extends PolicyScenario {
  @Test
  void aDeviceThatRunsAnOldVersionAgainIsUpgradedAgain(TestInfo info) {
    String fleet = fleet(info, 1);
    String[] device = names(fleet, 1);
    run(OLD, device);
    PolicyId policy = enable(fleet, new PolicyTarget.AtLeast("1.5.0"), 0);
    RolloutRow first = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    assertThat(ended(first.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    run(RolloutTestWorker.RELEASE, device);
    look(policy);
    assertThat(states(policy)).extracting(PolicyDeviceStatus::reason).containsExactly("satisfied");

    worker.hosts.reinstall(device[0]);
    run(OLD, device);
    look(policy);
    assertThat(states(policy)).extracting(PolicyDeviceStatus::reason).containsExactly("back-off");
    age(first.id());
    look(policy);

    RolloutRow second = awaitRollout(policy, RolloutTestWorker.RELEASE, 2);
    assertThat(ended(second.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(upgradedIn(second)).containsExactly(device);
    disable(policy);
  }

  @Test
  void aDeviceWhoseFailureIsClearedIsTriedAgain(TestInfo info) {
    String fleet = fleet(info, 2);
    PolicyId policy = enable(fleet, new PolicyTarget.Exactly("1.5.0"), 0);
    RolloutRow first = failOnFirstDevice(policy, fleet);

    int cleared =
        worker.repositories.common().failures().clearFailures(policy.device(fleet + "-01"), RolloutTestWorker.RELEASE);
    worker.hosts.repair();
    look(policy);

    assertThat(cleared).isEqualTo(1);
    assertThat(states(policy)).extracting(PolicyDeviceStatus::reason).containsExactly("back-off", "satisfied");
    age(first.id());
    look(policy);
    RolloutRow second = awaitRollout(policy, RolloutTestWorker.RELEASE, 2);
    assertThat(ended(second.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(upgradedIn(second)).containsExactly(fleet + "-01");
    disable(policy);
  }

  @Test
  void aNewerReleaseIsTriedOnADeviceOnWhichTheLastOneFailed(TestInfo info) {
    String fleet = fleet(info, 2);
    tables.channels().move(TestStacks.TENANT, fleet, RolloutTestWorker.RELEASE, "ann");
    PolicyId policy = enable(fleet, new PolicyTarget.Channel(fleet), 0);
    RolloutRow first = failOnFirstDevice(policy, fleet);
    worker.hosts.repair();

    tables.channels().move(TestStacks.TENANT, fleet, NEWER, "ann");
    signals.recheckPackage(TestStacks.TENANT, "os");

    RolloutRow second = awaitRollout(policy, NEWER, 1);
    assertThat(ended(second.id()).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(upgradedIn(second)).containsExactlyInAnyOrder(names(fleet, 2));
    assertThat(upgradedIn(first)).containsExactly(fleet + "-02");
    disable(policy);
  }

  @Test
  void aReleaseSignalsThePoliciesOfItsPackageAlone(TestInfo info) {
    String fleet = fleet(info, 1);
    run(RolloutTestWorker.RELEASE, names(fleet, 1));
    var target = new PolicyTarget.Exactly("1.5.0");
    PolicyId ofPackage = put(fleet + "-b", fleet, target, 0);
    PolicyId other = new PolicyId(TestStacks.TENANT, fleet + "-a");
    PolicyRow stored = tables.policies().put(new NewPolicy(other, "", "", fleet, 0, row(ofPackage).spec()), "ann");
    enable(ofPackage);
    enable(stored.id());
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> evaluation(ofPackage).isPresent() && evaluation(other).isPresent());
    long before = signalsOf(ofPackage);
    long otherBefore = signalsOf(other);

    signals.recheckPackage(TestStacks.TENANT, "os");

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> signalsOf(ofPackage) > before);
    assertThat(signalsOf(other)).isEqualTo(otherBefore);
    signals.recheckPackage(TestStacks.TENANT, fleet);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> signalsOf(other) > otherBefore);
    disable(ofPackage);
    disable(other);
  }

  /// Has the first of two devices fail, the second one upgraded, and the rollout end.
  private RolloutRow failOnFirstDevice(PolicyId policy, String fleet) {
    worker.hosts.fail(fleet + "-01");
    run(OLD, names(fleet, 2));
    workflows.recheck(policy);
    RolloutRow rollout = awaitRollout(policy, RolloutTestWorker.RELEASE, 1);
    worker.awaitState(rollout.id(), RolloutState.PAUSED);
    worker.update(rollout.id(), OperatorAction.RESUME);
    assertThat(ended(rollout.id()).outcome()).contains(RolloutOutcome.PARTIAL);
    run(RolloutTestWorker.RELEASE, fleet + "-02");
    look(policy);
    assertThat(states(policy)).extracting(PolicyDeviceStatus::reason).containsExactly("failed-before", "satisfied");
    return rollout;
  }

  /// Makes the ends of the devices in a rollout two hours older.
  private static void age(RolloutId id) {
    try (Connection connection =
            DriverManager.getConnection(worker.settings.url(), worker.settings.user(), worker.settings.password());
        var statement =
            connection.prepareStatement(
                "UPDATE rollout_target SET ended_at = DATEADD('HOUR', -2, ended_at) WHERE tenant = ? AND rollout = ?")) {
      statement.setString(1, id.tenant());
      statement.setString(2, id.name());
      int _ = statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long signalsOf(PolicyId policy) {
    return worker
        .temporal()
        .requestClient()
        .fetchHistory(PolicyInput.workflowId(policy.tenant(), policy.name()))
        .getEvents()
        .stream()
        .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
        .count();
  }
}
