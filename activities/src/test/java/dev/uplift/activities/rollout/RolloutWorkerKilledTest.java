package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.TargetState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Servers that are killed while they work on a rollout, and two servers at once.
final class RolloutWorkerKilledTest extends RolloutScenario {
  @Test
  void killedWorkerLosesNoDeviceAndStartsNoneTwice(TestInfo info) {
    String fleet = fleet(info, 20);
    RolloutId id = worker.start(inTwoWaves(fleet, 10, 5));
    for (int kill = 1; kill <= 2; kill++) {
      int enough = 5 * kill;
      await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.countIn(id, TargetState.ENDED) >= enough);
      worker.killAndReplace();
    }

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.countIn(id, TargetState.ENDED)).isEqualTo(20);
    assertEachOnce(id);
    assertThat(worker.row(id).lastResultNumber()).isEqualTo(20);
  }

  @Test
  void deviceMarkedByAKilledServerIsStartedByTheNextOne(TestInfo info) {
    String fleet = fleet(info, 6);
    RolloutId id = worker.create(inOneWave(fleet, 3));

    assertThat(worker.passOfKilledServer(id).toStart()).hasSize(3);
    assertThat(worker.countIn(id, TargetState.STARTING)).isEqualTo(3);
    worker.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
  }

  @Test
  void markedDeviceIsPendingAgainAfterAPause(TestInfo info) {
    String fleet = fleet(info, 6);
    RolloutId id = worker.create(inOneWave(fleet, 3));
    worker.passOfKilledServer(id);
    worker.updateWithoutWorkflow(id, OperatorAction.PAUSE);

    worker.start(id);

    await().atMost(RolloutTestWorker.TIMEOUT).until(() -> worker.countIn(id, TargetState.PENDING) == 6);
    assertThat(preparing(id)).isZero();
    await()
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.update(id, OperatorAction.RESUME) instanceof UpdateResult.Completed);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  @Test
  void twoServersStartNoDeviceTwiceAndCountNoResultTwice(TestInfo info) {
    String fleet = fleet(info, 16);
    RolloutId id = worker.start(inTwoWaves(fleet, 6, 3));

    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(RolloutTestWorker.TIMEOUT)
        .until(() -> worker.passOfAnotherServer(id).isFinished());

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(worker.row(id).lastResultNumber()).isEqualTo(16);
    assertEachOnce(id);
    assertThat(decisions(id)).containsOnlyOnce("next-wave", "finish");
  }
}
