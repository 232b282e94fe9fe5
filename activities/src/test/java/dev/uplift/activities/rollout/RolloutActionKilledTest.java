package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.workflows.rollout.ActionResult;
import dev.uplift.workflows.rollout.RolloutAction;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Actions of operators, with the server killed after it has marked devices and before it has started them. Another
/// server completes the action.
final class RolloutActionKilledTest extends RolloutScenario {
  @Test
  void retriedDeviceIsStartedExactlyOnceMore(TestInfo info) {
    String fleet = fleet(info, 2);
    worker.hosts.fail(names(fleet, 2));
    RolloutId id = worker.create(inOneWave(fleet, 10));
    assertThat(worker.passOfAnotherServer(id).toStart()).hasSize(2);
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.repositories.queue().finishedUpgrades(id).size() == 2);
    var _ = worker.passOfAnotherServer(id);
    worker.hosts.repair();
    RolloutAction again = RolloutAction.of("again", OperatorAction.RETRY_FAILED, "bob", "");
    assertThat(worker.updateWithoutWorkflow(id, again).message()).isEqualTo("devices tried again: 2");
    assertThat(worker.updateWithoutWorkflow(id, OperatorAction.RESUME).applied()).isTrue();

    assertThat(worker.passOfKilledServer(id).toStart()).hasSize(2);
    assertThat(worker.updateWithoutWorkflow(id, again).message()).isEqualTo("devices tried again: 2");
    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.targets(id)).extracting(TargetRow::attempt).containsOnly(2);
    assertEachOnce(id);
    assertThat(preparing(id)).isEqualTo(4);
    assertThat(worker.row(id).lastResultNumber()).isEqualTo(4);
  }

  @Test
  void devicesMarkedBeforeTheWaveIsDoneAreStartedAndOthersExcluded(TestInfo info) {
    String fleet = fleet(info, 6);
    RolloutId id = worker.create(inOneWave(fleet, 2));
    assertThat(worker.passOfKilledServer(id).toStart()).hasSize(2);

    ActionResult done = worker.updateWithoutWorkflow(id, OperatorAction.SKIP_REMAINING);

    assertThat(done.message()).isEqualTo("wave 1 is done; devices left out: 4");
    worker.start(id);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(worker.countIn(id, TargetState.ENDED)).isEqualTo(2);
    assertThat(worker.countIn(id, TargetState.SKIPPED)).isEqualTo(4);
    assertEachOnce(id);
  }

  @Test
  void startThatArrivesAfterItsDeviceWasReturnedToTheQueueIsDeclined(TestInfo info) {
    String fleet = fleet(info, 2);
    RolloutId id = worker.create(inOneWave(fleet, 10));
    PassResult late = worker.passOfKilledServer(id);
    assertThat(worker.updateWithoutWorkflow(id, OperatorAction.PAUSE).applied()).isTrue();
    var _ = worker.passOfAnotherServer(id);
    assertThat(worker.countIn(id, TargetState.PENDING)).isEqualTo(2);

    worker.workflows.launchWithoutRecording(late);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> late.toStart().stream().allMatch(worker.workflows::hasEnded));
    assertThat(preparing(id)).isZero();
    assertThat(worker.updateWithoutWorkflow(id, OperatorAction.RESUME).applied()).isTrue();
    worker.start(id);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
  }

  @Test
  void startThatArrivesAfterTheAnswerToAPauseIsDeclined(TestInfo info) {
    String fleet = fleet(info, 2);
    RolloutId id = worker.create(inOneWave(fleet, 10));
    PassResult late = worker.passOfKilledServer(id);
    assertThat(worker.repositories.targets().markStarted(id, late.toStart().getFirst().device())).isTrue();
    assertThat(worker.updateWithoutWorkflow(id, OperatorAction.PAUSE).applied()).isTrue();

    worker.workflows.launchWithoutRecording(late);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> late.toStart().stream().allMatch(worker.workflows::hasEnded));
    assertThat(preparing(id)).isZero();
    assertThat(worker.countIn(id, TargetState.PENDING)).isEqualTo(2);
    assertThat(worker.updateWithoutWorkflow(id, OperatorAction.RESUME).applied()).isTrue();
    worker.start(id);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
  }

  @Test
  void markedDeviceCannotBeExcluded(TestInfo info) {
    String fleet = fleet(info, 3);
    RolloutId id = worker.create(inOneWave(fleet, 1));
    String marked = worker.passOfKilledServer(id).toStart().getFirst().device();
    String waiting = in(id, TargetState.PENDING).getFirst();

    assertThat(worker.updateWithoutWorkflow(id, about(OperatorAction.SKIP_DEVICE, marked)))
        .isEqualTo(new ActionResult(false, marked + " is starting; only a pending one can be left out"));
    assertThat(worker.updateWithoutWorkflow(id, about(OperatorAction.SKIP_DEVICE, waiting)).applied()).isTrue();
    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(in(id, TargetState.SKIPPED)).containsExactly(waiting);
    assertThat(preparing(id)).isEqualTo(2);
    assertEachOnce(id);
  }

  @Test
  void ofManyDevicesThoseThatHaveNotBegunAreSkippedAndTheOthersNamed(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutId id = worker.create(inOneWave(fleet, 1));
    String marked = worker.passOfKilledServer(id).toStart().getFirst().device();
    List<String> waiting = in(id, TargetState.PENDING);

    ActionResult skipped =
        worker.updateWithoutWorkflow(
            id, about(OperatorAction.SKIP_DEVICE, waiting.get(0), marked, "absent", waiting.get(1), waiting.get(0)));

    assertThat(skipped)
        .isEqualTo(
            new ActionResult(
                true,
                "2 devices are left out; not 2 others: %s is starting; only a pending one can be left out; absent takes no part"
                    .formatted(marked)));
    assertThat(in(id, TargetState.SKIPPED)).containsExactlyInAnyOrderElementsOf(waiting.subList(0, 2));
    assertThat(
            worker
                .updateWithoutWorkflow(id, about(OperatorAction.ADD_DEVICE, waiting.toArray(String[]::new)))
                .message())
        .isEqualTo(
            "2 devices take part, in wave 1; not 1 others: %s takes part, and is pending".formatted(waiting.get(2)));
    worker.start(id);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
  }

  @Test
  void addedDeviceParticipatesOnceHoweverOftenItIsAdded(TestInfo info) {
    String fleet = fleet(info, 2);
    worker.register("elsewhere", fleet + "-added", "");
    RolloutId id = worker.create(inOneWave(fleet, 10));
    assertThat(worker.passOfKilledServer(id).toStart()).hasSize(2);

    RolloutAction add = about(OperatorAction.ADD_DEVICE, fleet + "-added");
    assertThat(worker.updateWithoutWorkflow(id, add).applied()).isTrue();
    assertThat(worker.updateWithoutWorkflow(id, add).applied()).isTrue();
    assertThat(worker.updateWithoutWorkflow(id, about(OperatorAction.ADD_DEVICE, fleet + "-added")).applied())
        .isFalse();
    assertThat(worker.passOfKilledServer(id).toStart()).hasSize(3);
    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.row(id).lastResultNumber()).isEqualTo(3);
    assertEachOnce(id);
  }

  @Test
  void lateJoinerIsUpgradedOnce(TestInfo info) {
    String fleet = fleet(info, 2);
    RolloutId id = worker.create(withLateJoiners(inOneWave(fleet, 10)));
    assertThat(worker.passOfKilledServer(id).toStart()).hasSize(2);
    worker.register(fleet, fleet + "-late", "");

    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.row(id).lastResultNumber()).isEqualTo(3);
    assertEachOnce(id);
  }

  @Test
  void deviceStartedByAKilledServerIsNotStartedAgain(TestInfo info) {
    String fleet = fleet(info, 3);
    RolloutId id = worker.create(inOneWave(fleet, 10));
    PassResult marked = worker.passOfKilledServer(id);
    worker.workflows.launchWithoutRecording(marked);
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> marked.toStart().stream().allMatch(worker.workflows::hasEnded));
    List<String> runs = worker.workflows.newestRunIds(marked.toStart());

    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.workflows.newestRunIds(marked.toStart())).isEqualTo(runs);
    assertEachOnce(id);
  }

  private static List<String> in(RolloutId id, TargetState state) {
    return worker.targets(id).stream().filter(target -> target.state() == state).map(TargetRow::device).toList();
  }

  private static RolloutAction about(OperatorAction action, String... devices) {
    return new RolloutAction(
        action + devices[0] + System.nanoTime(),
        action,
        "bob",
        "",
        Optional.empty(),
        List.of(devices),
        List.of(),
        Optional.empty());
  }
}
