package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.ThresholdAction;
import dev.uplift.fleet.rollout.plan.Thresholds;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.rollout.RolloutAction;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// A wave of a rollout is rolled back.
final class WaveRollbackTest extends RolloutScenario {
  @Test
  void secondFailureRollsTheWaveBackAndPausesTheRollout(TestInfo info) {
    String fleet = fleet(info, 8);

    RolloutId id = worker.create(rollsBack(inTwoWaves(fleet, 7, 3)));
    List<String> first =
        worker.targets(id).stream()
            .filter(target -> target.queuePosition().wave() == 1)
            .sorted(Comparator.comparingLong(target -> target.queuePosition().position()))
            .map(TargetRow::device)
            .toList();
    worker.hosts.fail(first.get(2), first.get(5));
    worker.start(id);

    worker.awaitState(id, RolloutState.PAUSED);
    assertThat(waiting(id)).contains("paused by uplift: 2 devices failed");
    assertThat(in(id, TargetState.ENDED))
        .extracting(TargetRow::device)
        .containsExactlyInAnyOrder(first.get(2), first.get(5));
    int begun = (int) preparing(id);
    assertThat(begun).isGreaterThanOrEqualTo(6);
    assertEachWentBackOnce(id, begun - 2);
    assertThat(in(id, TargetState.PENDING)).hasSize(8 - begun);
    assertThat(decisions(id)).containsSubsequence("roll-back-wave", "rolled-back");
    end(id);
  }

  @Test
  void withoutUpgradedDevicesTheRolloutIsOnlyPaused(TestInfo info) {
    String fleet = fleet(info, 3);
    worker.hosts.fail(names(fleet, 3));

    RolloutId id = worker.start(rollsBack(inOneWave(fleet, 1)));

    worker.awaitState(id, RolloutState.PAUSED);
    assertThat(rolledBackIds(id)).isEmpty();
    assertThat(decisions(id)).contains("roll-back-wave").doesNotContain("rolled-back");
    end(id);
  }

  @Test
  void allAreRolledBackWithinTheLimitOfConcurrentUpgrades(TestInfo info) {
    RolloutId id = upgraded(info, 5, 2);
    worker.hosts.blockRollback();

    assertThat(worker.update(id, ofWave(1)))
        .isEqualTo(
            new UpdateResult.Completed(
                "wave 1 is rolled back, then the rollout is paused; devices: 5, and in progress" + " until then: 0"));
    assertThat(worker.update(id, OperatorAction.RESUME)).isInstanceOf(UpdateResult.Rejected.class);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> rolledBackIds(id).size() == 2);
    assertThat(worker.countIn(id, TargetState.REVERTING)).isEqualTo(2);
    assertThat(worker.countIn(id, TargetState.REVERT_PENDING)).isEqualTo(3);
    worker.hosts.unblock();

    worker.awaitState(id, RolloutState.PAUSED);
    assertEachWentBackOnce(id, 5);

    for (OperatorAction next : List.of(OperatorAction.RETRY_FAILED, OperatorAction.RESUME, OperatorAction.APPROVE)) {
      await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.update(id, next) instanceof UpdateResult.Completed);
    }
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  @Test
  void hardAbortStopsTheRollbackAndRecordsEveryDevice(TestInfo info) {
    RolloutId id = upgraded(info, 5, 2);
    worker.hosts.blockRollback();
    worker.update(id, ofWave(1));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> rolledBackIds(id).size() == 2);

    assertThat(worker.update(id, OperatorAction.ABORT_RUNNING)).isInstanceOf(UpdateResult.Completed.class);
    worker.hosts.unblock();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    // A host that is stopped in the middle may be asked once more to finish.
    assertThat(new HashSet<>(rolledBackIds(id))).hasSize(2);
    assertThat(rolledBackIds(id)).allMatch(upgrade -> Collections.frequency(rolledBackIds(id), upgrade) <= 2);
    assertWentBack(id, 2);
    assertThat(in(id, TargetState.ENDED))
        .hasSize(3)
        .allMatch(target -> target.result().equals(upgraded()))
        .allMatch(target -> target.revertUpgrade().isEmpty());
  }

  @Test
  void killedServersRollNoDeviceBackTwiceAndForgetNone(TestInfo info) {
    RolloutId id = upgraded(info, 6, 2);
    worker.updateWithoutWorkflow(id, ofWave(1));
    assertThat(worker.passOfKilledServer(id).rollback().toStart()).hasSize(2);
    worker.recheck(id);
    for (int kill = 1; kill <= 2; kill++) {
      int enough = 2 * kill;
      await().atMost(RolloutTestWorker.TIMEOUT).until(() -> rolledBackIds(id).size() >= enough);
      worker.killAndReplace();
    }

    worker.awaitState(id, RolloutState.PAUSED);
    // The next worker may send a command again, with the same id.
    assertThat(new HashSet<>(rolledBackIds(id))).hasSize(6);
    assertThat(in(id, TargetState.REVERTED))
        .hasSize(6)
        .allMatch(target -> target.revertUpgrade().orElseThrow().endsWith(".r1"))
        .allMatch(target -> target.revertOutcome().equals(Optional.of(Outcome.ROLLED_BACK)));
    end(id);
  }

  @Test
  void deviceIsRolledBackOnlyInItsWindow(TestInfo info) {
    RolloutId id = upgraded(info, 2, 2);
    String late = in(id, TargetState.ENDED).getFirst().device();
    String fleet = late.substring(0, late.indexOf('-'));
    worker.register(fleet, late, RolloutChangesTest.opensIn(Duration.ofHours(6)));

    worker.update(id, ofWave(1));

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> rolledBackIds(id).size() == 1);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> waiting(id).contains(late + ": its window opens at"));
    assertThat(worker.row(id).state()).isEqualTo(RolloutState.ROLLING_BACK);

    worker.register(fleet, late, "");
    worker.recheck(id);
    worker.awaitState(id, RolloutState.PAUSED);
    assertThat(worker.countIn(id, TargetState.REVERTED)).isEqualTo(2);
    end(id);
  }

  @Test
  void deviceThatCannotRollBackStaysAndMayBeRetried(TestInfo info) {
    RolloutId id = upgraded(info, 3, 3);
    String stays = in(id, TargetState.ENDED).getFirst().device();
    worker.hosts.forgetPreviousVersion(stays);

    worker.update(id, ofWave(1));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.countIn(id, TargetState.REVERTED) == 3);
    worker.awaitState(id, RolloutState.PAUSED);

    TargetRow declined = target(id, stays);
    assertThat(declined.revertOutcome()).contains(Outcome.DECLINED);
    assertThat(declined.result()).contains(TargetResult.UPGRADED);
    assertThat(decisions(id)).contains("rolled-back");

    worker.hosts.repair();
    assertThat(worker.update(id, ofWave(1))).isInstanceOf(UpdateResult.Completed.class);
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> target(id, stays).result().equals(Optional.of(TargetResult.ROLLED_BACK)));
    worker.awaitState(id, RolloutState.PAUSED);
    assertThat(worker.update(id, ofWave(1)))
        .isEqualTo(new UpdateResult.Rejected("no device of wave 1 runs the release"));
    assertThat(worker.update(id, ofWave(7)))
        .isEqualTo(new UpdateResult.Rejected("wave 7 has not begun; expected 1 to 2"));
    end(id);
  }

  /// Creates a rollout whose first wave has upgraded this many devices, and whose second wave waits for approval.
  private static RolloutId upgraded(TestInfo info, int devices, int parallel) {
    String fleet = fleet(info, devices + 1);
    RolloutPlan plan = RolloutTestWorker.plan(fleet);
    List<WaveSpec> waves =
        List.of(
            WaveSpec.of(new WaveSize.Count(devices)), WaveSpec.of(new WaveSize.Rest()).withGate(new Gate.Approval()));
    RolloutId id = worker.start(with(plan, waves, limits(parallel)));
    worker.awaitState(id, RolloutState.WAITING_APPROVAL);
    assertThat(worker.countIn(id, TargetState.ENDED)).isEqualTo(devices);
    return id;
  }

  private static List<TargetRow> in(RolloutId id, TargetState state) {
    return worker.targets(id).stream().filter(target -> target.state() == state).toList();
  }

  private static TargetRow target(RolloutId id, String device) {
    return worker.repositories.queue().find(id, device).orElseThrow();
  }

  private static String waiting(RolloutId id) {
    return worker.row(id).waiting().map(RolloutWait::message).orElse("");
  }

  /// Returns the ids of reverts, as often as a host was asked.
  private static List<String> rolledBackIds(RolloutId id) {
    return worker.hosts.rolledBack().stream().filter(upgrade -> upgrade.startsWith(id.name() + ".")).toList();
  }

  private static void assertEachWentBackOnce(RolloutId id, int devices) {
    assertThat(rolledBackIds(id)).hasSize(devices).doesNotHaveDuplicates();
    assertWentBack(id, devices);
  }

  private static void assertWentBack(RolloutId id, int devices) {
    assertThat(in(id, TargetState.REVERTED))
        .hasSize(devices)
        .allMatch(target -> target.result().equals(Optional.of(TargetResult.ROLLED_BACK)))
        .allMatch(target -> target.resultNumber().isEmpty())
        .allMatch(target -> target.revertOutcome().equals(Optional.of(Outcome.ROLLED_BACK)));
  }

  private static void end(RolloutId id) {
    assertThat(worker.update(id, OperatorAction.ABORT)).isInstanceOf(UpdateResult.Completed.class);
    ended(id);
  }

  private static RolloutPlan rollsBack(RolloutPlan plan) {
    return new RolloutPlan(
        plan.release(),
        plan.selection(),
        plan.everything(),
        plan.waves(),
        plan.limits(),
        Thresholds.DEFAULTS.withAction(ThresholdAction.ROLL_BACK_WAVE),
        plan.retries(),
        plan.window(),
        plan.lateJoiners(),
        plan.startAt(),
        plan.notAfter(),
        plan.priority(),
        plan.onBusy());
  }

  private static RolloutAction ofWave(int wave) {
    return new RolloutAction(
        UUID.randomUUID().toString(),
        OperatorAction.ROLL_BACK_WAVE,
        "bob",
        "",
        Optional.of(wave),
        List.of(),
        List.of(),
        Optional.empty());
  }
}
