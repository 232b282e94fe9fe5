package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.Steered;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.store.RolloutRow;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowFailedException;
import io.temporal.failure.CanceledFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// What people press in Temporal's own tools, and what is lost there: `docs/rollouts.md` promises
/// what comes of it.
final class RolloutInTemporalTest extends RolloutScenario {
  @Test
  void oneThatWasNeverStartedIsStarted(TestInfo info) {
    RolloutId id = world.create(inOneWave(fleet(info, 2), 10));

    world.keep();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  @Test
  void terminatedItRunsAgainButPausedAndAResumeBringsItToItsEnd(TestInfo info) {
    String fleet = fleet(info, 8);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 3));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 3);

    world.runs.workflow(id).terminate("stuck");
    world.hosts.goOn();
    world.keep();

    RolloutRow paused = world.awaitState(id, RolloutState.PAUSED);
    assertThat(paused.waiting().orElseThrow().sentence()).contains("was ended in Temporal");
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.in(id, TargetState.ENDED) + world.in(id, TargetState.PENDING) == 8);
    int begun = (int) preparing(id);
    world.keep();
    assertThat(decisions(id)).containsOnlyOnce("pause");
    assertThat(preparing(id)).isEqualTo(begun);

    assertThat(world.steer(id, Steer.RESUME)).isInstanceOf(Steered.Done.class);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
    assertThat(world.row(id).verdicts()).isEqualTo(8);
  }

  @Test
  void terminatedWhileItIsAbortedItIsAbortedToTheEnd(TestInfo info) {
    String fleet = fleet(info, 4);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 2));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 2);
    assertThat(world.steer(id, Steer.ABORT)).isInstanceOf(Steered.Done.class);

    world.runs.workflow(id).terminate("stuck");
    world.keep();
    world.hosts.goOn();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(preparing(id)).isEqualTo(2);
  }

  @Test
  void cancelledNothingMoreIsStartedAndWhatIsInWorkGoesOnToItsEnd(TestInfo info) {
    String fleet = fleet(info, 6);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 2));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 2);

    world.runs.workflow(id).cancel("wrong release");
    world.awaitState(id, RolloutState.ABORTING);
    world.hosts.goOn();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(preparing(id)).isEqualTo(2);
    assertThat(world.targets(id).stream().filter(target -> target.verdict().equals(upgraded())))
        .hasSize(2);
    assertThatThrownBy(() -> world.runs.workflow(id).getResult(Object.class))
        .isInstanceOf(WorkflowFailedException.class)
        .hasCauseInstanceOf(CanceledFailure.class);
    world.keep();
    assertThat(status(id)).isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
  }

  @Test
  void resetWhileItWorksItStartsNobodyTwiceAndCountsNothingTwice(TestInfo info) {
    String fleet = fleet(info, 9);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 3));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 3);

    world.runs.reset(id);
    world.hosts.goOn();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
    assertThat(world.row(id).verdicts()).isEqualTo(9);
    assertThat(decisions(id)).containsExactly("start", "finish");
  }

  @Test
  void whatAPersonSaidBeforeAResetIsNotDoneAgain(TestInfo info) {
    String fleet = fleet(info, 4);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 2));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 2);
    assertThat(world.steer(id, Steer.PAUSE)).isInstanceOf(Steered.Done.class);
    assertThat(world.steer(id, Steer.RESUME)).isInstanceOf(Steered.Done.class);

    world.runs.reset(id);
    world.hosts.goOn();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(decisions(id)).containsOnlyOnce("pause", "resume");
    assertEachOnce(id);
  }

  @Test
  void resetAfterItsEndItEndsAgainAsItDid(TestInfo info) {
    RolloutId id = world.start(inOneWave(fleet(info, 2), 10));
    RolloutRow before = ended(id);
    var _ = world.runs.workflow(id).getResult(Object.class);

    world.runs.reset(id);
    var _ = world.runs.workflow(id).getResult(Object.class);

    assertThat(world.row(id)).isEqualTo(before);
    assertEachOnce(id);
  }

  @Test
  void oneThatOnlyTheRecordsHoldOpenIsTakenUpAgain(TestInfo info) {
    RolloutId id = world.start(inOneWave(fleet(info, 1), 10));
    ended(id);
    var _ = world.runs.workflow(id).getResult(Object.class);
    String firstRun = world.runs.workflow(id).describe().getExecution().getRunId();

    world.runs.starter().startAgain(world.row(id));

    var _ = world.runs.workflow(id).getResult(Object.class);
    assertThat(world.runs.workflow(id).describe().getExecution().getRunId()).isNotEqualTo(firstRun);
    assertEachOnce(id);
  }

  private static WorkflowExecutionStatus status(RolloutId id) {
    return world.runs.workflow(id).describe().getStatus();
  }
}
