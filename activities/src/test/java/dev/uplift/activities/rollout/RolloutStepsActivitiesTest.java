package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.Gate;
import dev.uplift.fleet.rollout.plan.RolloutLimits;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.RolloutWait;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.rollout.RolloutAction;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// A rollout from start to end, and the actions of operators meanwhile.
final class RolloutStepsActivitiesTest extends RolloutScenario {
  @Test
  void thirtyDevicesInThreeConsecutiveWaves(TestInfo info) {
    String fleet = fleet(info, 30);

    RolloutId id = worker.start(RolloutTestWorker.plan(fleet));

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    List<TargetRow> targets = worker.targets(id);
    assertThat(targets).hasSize(30).allMatch(target -> target.state() == TargetState.ENDED);
    assertThat(targets).extracting(target -> target.queuePosition().wave()).contains(1, 2, 3);
    for (int wave = 1; wave < 3; wave++) {
      int now = wave;
      assertThat(targets.stream().filter(target -> target.queuePosition().wave() == now))
          .allSatisfy(earlier ->
              assertThat(targets.stream().filter(target -> target.queuePosition().wave() > now))
                  .allMatch(later -> later.startedAt().orElseThrow().isAfter(earlier.endedAt().orElseThrow())));
    }
    assertEachOnce(id);
    assertThat(decisions(id)).containsExactly("start", "next-wave", "start", "next-wave", "start", "finish");
    var _ = worker.workflows.workflow(id).getResult(Object.class);
    assertThat(worker.workflows.historyEvents(id)).isLessThanOrEqualTo(3 * 20);
  }

  @Test
  void secondFailurePausesAndAResumeContinuesWithNewCounts(TestInfo info) {
    String fleet = fleet(info, 12);
    worker.hosts.fail(names(fleet, 12));

    RolloutId id = worker.start(inTwoWaves(fleet, 3, 100));

    RolloutRow paused = worker.awaitState(id, RolloutState.PAUSED);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.countIn(id, TargetState.ENDED) >= 2);
    assertThat(paused.waiting().map(RolloutWait::reason)).contains(WaitReason.PAUSED);
    assertThat(paused.waiting().map(RolloutWait::message).orElseThrow()).contains("uplift", "it stops at 2");
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.countIn(id, TargetState.STARTED) + worker.countIn(id, TargetState.STARTING) == 0);
    assertThat(worker.countIn(id, TargetState.PENDING)).isPositive();
    assertThat(decisions(id)).as("a pause is one line of the log").endsWith("pause");

    worker.hosts.repair();
    assertThat(worker.update(id, OperatorAction.RETRY_FAILED)).isInstanceOf(UpdateResult.Completed.class);
    assertThat(worker.update(id, OperatorAction.RESUME)).isInstanceOf(UpdateResult.Completed.class);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.targets(id)).allMatch(target -> target.result().equals(upgraded()));
    assertThat(worker.targets(id)).extracting(TargetRow::attempt).contains(2);
    assertEachOnce(id);
  }

  @Test
  void afterTheAnswerToAPauseNothingMoreIsStarted(TestInfo info) {
    String fleet = fleet(info, 12);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 4));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 4);

    assertThat(worker.update(id, OperatorAction.PAUSE)).isInstanceOf(UpdateResult.Completed.class);
    worker.hosts.unblock();

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.countIn(id, TargetState.ENDED) == 4);
    assertThat(worker.row(id).state()).isEqualTo(RolloutState.PAUSED);
    assertThat(worker.countIn(id, TargetState.PENDING)).isEqualTo(8);
    assertThat(worker.update(id, OperatorAction.PAUSE)).isInstanceOf(UpdateResult.Rejected.class);

    worker.update(id, OperatorAction.ABORT);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(preparing(id)).isEqualTo(4);
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.update(id, OperatorAction.RESUME) instanceof UpdateResult.NotRunning);
  }

  @Test
  void hardAbortAbortsRunningUpgrades(TestInfo info) {
    String fleet = fleet(info, 6);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 100));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 6);

    assertThat(worker.update(id, OperatorAction.ABORT_RUNNING)).isInstanceOf(UpdateResult.Completed.class);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(worker.targets(id)).allMatch(target -> target.result().equals(Optional.of(TargetResult.ABORTED)));
  }

  @Test
  void gateOpensForAnotherPersonThanTheAuthorAndOnlyOnce(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutPlan plan =
        with(
            RolloutTestWorker.plan(fleet),
            List.of(WaveSpec.of(new WaveSize.Count(1)), WaveSpec.of(new WaveSize.Rest()).withGate(new Gate.Approval())),
            RolloutLimits.DEFAULTS);
    RolloutId id = worker.start(plan);
    worker.awaitState(id, RolloutState.WAITING_APPROVAL);

    UpdateResult byAuthor = worker.update(id, RolloutAction.of("a1", OperatorAction.APPROVE, "ann", ""));
    UpdateResult byOther = worker.update(id, RolloutAction.of("a2", OperatorAction.APPROVE, "bob", "looks good"));

    assertThat(byAuthor)
        .isEqualTo(new UpdateResult.Rejected("ann created, changed or started the rollout; expected another person"));
    assertThat(byOther).isEqualTo(new UpdateResult.Completed("wave 2 of 2 may begin"));
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(decisions(id)).containsOnlyOnce("approve");
  }

  @Test
  void approvalIsVoidAfterAChangeAndThePersonWhoChangedItDoesNotApprove(TestInfo info) {
    String fleet = fleet(info, 3);
    RolloutId id =
        worker.create(
            with(
                RolloutTestWorker.plan(fleet),
                List.of(WaveSpec.of(new WaveSize.Rest()).withGate(new Gate.Approval())),
                RolloutLimits.DEFAULTS));
    worker.register(fleet, fleet + "-late", "");
    var _ = worker.passOfKilledServer(id);
    assertThat(worker.updateWithoutWorkflow(id, action(OperatorAction.APPROVE, "bob", Optional.empty())).applied())
        .isTrue();

    var added =
        worker.updateWithoutWorkflow(id, action(OperatorAction.ADD_DEVICE, "ann", Optional.of(fleet + "-late")));

    assertThat(added.message()).isEqualTo(fleet + "-late takes part, in wave 1; wave 1 needs another approval");
    assertThat(worker.passOfKilledServer(id).decision())
        .isInstanceOfSatisfying(Decision.Wait.class, wait -> assertThat(wait.reason()).isEqualTo(WaitReason.APPROVAL));
    assertThat(worker.updateWithoutWorkflow(id, action(OperatorAction.APPROVE, "ann", Optional.empty())).applied())
        .isFalse();
    assertThat(worker.updateWithoutWorkflow(id, action(OperatorAction.APPROVE, "bob", Optional.empty())).applied())
        .isTrue();
    assertThat(worker.updateWithoutWorkflow(id, newRules("bob")).message()).endsWith("; wave 1 needs another approval");
    var _ = worker.passOfKilledServer(id);
    assertThat(worker.updateWithoutWorkflow(id, action(OperatorAction.APPROVE, "bob", Optional.empty())).applied())
        .isFalse();
    assertThat(worker.updateWithoutWorkflow(id, action(OperatorAction.APPROVE, "cleo", Optional.empty())).applied())
        .isTrue();
    assertThat(worker.updateWithoutWorkflow(id, OperatorAction.ABORT).applied()).isTrue();
  }

  private static RolloutAction action(OperatorAction action, String by, Optional<String> device) {
    return new RolloutAction(
        UUID.randomUUID().toString(),
        action,
        by,
        "",
        Optional.empty(),
        device.stream().toList(),
        List.of(),
        Optional.empty());
  }

  private static RolloutAction newRules(String by) {
    return new RolloutAction(
        UUID.randomUUID().toString(),
        OperatorAction.CHANGE_RULES,
        by,
        "",
        Optional.empty(),
        List.of(),
        List.of(),
        Optional.of(RolloutJson.write(RolloutRules.of(RolloutTestWorker.plan("any")))));
  }

  @Test
  void skippedDeviceIsExcludedAndTheRestIsUpgraded(TestInfo info) {
    String fleet = fleet(info, 5);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 2));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 2);
    String waiting =
        worker.targets(id).stream()
            .filter(target -> target.state() == TargetState.PENDING)
            .findFirst()
            .orElseThrow()
            .device();

    RolloutAction action =
        new RolloutAction(
            "s1",
            OperatorAction.SKIP_DEVICE,
            "bob",
            "",
            Optional.empty(),
            List.of(waiting),
            List.of(),
            Optional.empty());
    long revision = worker.row(id).revision();
    assertThat(worker.update(id, action)).isEqualTo(new UpdateResult.Completed(waiting + " is left out"));
    assertThat(worker.row(id).revision()).as("every action ends the step in progress").isGreaterThan(revision);
    assertThat(worker.update(id, action)).isEqualTo(new UpdateResult.Completed(waiting + " is left out"));
    worker.hosts.unblock();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(worker.countIn(id, TargetState.ENDED)).isEqualTo(4);
    assertThat(worker.countIn(id, TargetState.SKIPPED)).isEqualTo(1);
  }
}
