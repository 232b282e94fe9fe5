package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.rollout.RolloutRow;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowFailedException;
import io.temporal.failure.CanceledFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Operations of Temporal's own tools, and lost workflows: `docs/rollouts.md` documents the effects.
final class RolloutInTemporalTest extends RolloutScenario {
  @Test
  void missingWorkflowIsStarted(TestInfo info) {
    RolloutId id = worker.create(inOneWave(fleet(info, 2), 10));

    worker.runReconciler();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  @Test
  void afterATerminationItIsPausedAndAResumeCompletesIt(TestInfo info) {
    String fleet = fleet(info, 8);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 3));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 3);

    worker.workflows.workflow(id).terminate("stuck");
    worker.hosts.unblock();
    worker.runReconciler();

    RolloutRow paused = worker.awaitState(id, RolloutState.PAUSED);
    assertThat(paused.waiting().orElseThrow().message()).contains("was ended in Temporal");
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.countIn(id, TargetState.ENDED) + worker.countIn(id, TargetState.PENDING) == 8);
    int begun = (int) preparing(id);
    worker.runReconciler();
    assertThat(decisions(id)).containsOnlyOnce("pause");
    assertThat(preparing(id)).isEqualTo(begun);

    assertThat(worker.update(id, OperatorAction.RESUME)).isInstanceOf(UpdateResult.Completed.class);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
    assertThat(worker.row(id).lastResultNumber()).isEqualTo(8);
  }

  @Test
  void terminationDuringAnAbortCompletesTheAbort(TestInfo info) {
    String fleet = fleet(info, 4);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 2));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 2);
    assertThat(worker.update(id, OperatorAction.ABORT)).isInstanceOf(UpdateResult.Completed.class);

    worker.workflows.workflow(id).terminate("stuck");
    worker.runReconciler();
    worker.hosts.unblock();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(preparing(id)).isEqualTo(2);
  }

  @Test
  void cancelStartsNothingMoreAndRunningUpgradesFinish(TestInfo info) {
    String fleet = fleet(info, 6);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 2));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 2);

    worker.workflows.workflow(id).cancel("wrong release");
    worker.awaitState(id, RolloutState.ABORTING);
    worker.hosts.unblock();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(preparing(id)).isEqualTo(2);
    assertThat(worker.targets(id).stream().filter(target -> target.result().equals(upgraded()))).hasSize(2);
    assertThatThrownBy(() -> worker.workflows.workflow(id).getResult(Object.class))
        .isInstanceOf(WorkflowFailedException.class)
        .hasCauseInstanceOf(CanceledFailure.class);
    worker.runReconciler();
    assertThat(status(id)).isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
  }

  @Test
  void resetStartsNoDeviceTwiceAndCountsNoResultTwice(TestInfo info) {
    String fleet = fleet(info, 9);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 3));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 3);

    worker.workflows.reset(id);
    worker.hosts.unblock();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
    assertThat(worker.row(id).lastResultNumber()).isEqualTo(9);
    assertThat(decisions(id)).containsExactly("start", "finish");
  }

  @Test
  void actionsFromBeforeAResetAreNotRepeated(TestInfo info) {
    String fleet = fleet(info, 4);
    worker.hosts.blockPrepare();
    RolloutId id = worker.start(inOneWave(fleet, 2));
    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> preparing(id) == 2);
    assertThat(worker.update(id, OperatorAction.PAUSE)).isInstanceOf(UpdateResult.Completed.class);
    assertThat(worker.update(id, OperatorAction.RESUME)).isInstanceOf(UpdateResult.Completed.class);

    worker.workflows.reset(id);
    worker.hosts.unblock();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(decisions(id)).containsOnlyOnce("pause", "resume");
    assertEachOnce(id);
  }

  @Test
  void resetAfterTheEndEndsWithTheSameOutcome(TestInfo info) {
    RolloutId id = worker.start(inOneWave(fleet(info, 2), 10));
    RolloutRow before = ended(id);
    var _ = worker.workflows.workflow(id).getResult(Object.class);

    worker.workflows.reset(id);
    var _ = worker.workflows.workflow(id).getResult(Object.class);

    assertThat(worker.row(id)).isEqualTo(before);
    assertEachOnce(id);
  }

  @Test
  void rolloutThatIsOpenOnlyInTheTablesIsResumed(TestInfo info) {
    RolloutId id = worker.start(inOneWave(fleet(info, 1), 10));
    ended(id);
    var _ = worker.workflows.workflow(id).getResult(Object.class);
    String firstRun = worker.workflows.workflow(id).describe().getExecution().getRunId();

    worker.workflows.starter().restart(worker.row(id));

    var _ = worker.workflows.workflow(id).getResult(Object.class);
    assertThat(worker.workflows.workflow(id).describe().getExecution().getRunId()).isNotEqualTo(firstRun);
    assertEachOnce(id);
  }

  private static WorkflowExecutionStatus status(RolloutId id) {
    return worker.workflows.workflow(id).describe().getStatus();
  }
}
