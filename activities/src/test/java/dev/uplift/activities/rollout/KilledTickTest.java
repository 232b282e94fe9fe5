package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.Steered;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// Servers that are killed in the midst of a tick, and two at once.
final class KilledTickTest extends RolloutScenario {
  @Test
  void killedWorkerLosesNoDeviceAndStartsNoneTwice(TestInfo info) {
    String fleet = fleet(info, 20);
    RolloutId id = world.start(inTwoWaves(fleet, 10, 5));
    for (int kill = 1; kill <= 2; kill++) {
      int enough = 5 * kill;
      await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.ENDED) >= enough);
      world.killAndReplace();
    }

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.in(id, TargetState.ENDED)).isEqualTo(20);
    assertEachOnce(id);
    assertThat(world.row(id).verdicts()).isEqualTo(20);
  }

  @Test
  void whoWasMarkedByAServerThatWasKilledIsStartedByTheNextOne(TestInfo info) {
    String fleet = fleet(info, 6);
    RolloutId id = world.create(inOneWave(fleet, 3));

    assertThat(world.passOfOneThatIsKilled(id).toStart()).hasSize(3);
    assertThat(world.in(id, TargetState.STARTING)).isEqualTo(3);
    world.start(id);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertEachOnce(id);
  }

  @Test
  void whoWasMarkedAndNotStartedIsToComeAgainOnceItIsPaused(TestInfo info) {
    String fleet = fleet(info, 6);
    RolloutId id = world.create(inOneWave(fleet, 3));
    world.passOfOneThatIsKilled(id);
    world.steerInTables(id, Steer.PAUSE);

    world.start(id);

    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.PENDING) == 6);
    assertThat(preparing(id)).isZero();
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.steer(id, Steer.RESUME) instanceof Steered.Done);
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
  }

  @Test
  void twoServersAtOnceStartNobodyTwiceAndCountNothingTwice(TestInfo info) {
    String fleet = fleet(info, 16);
    RolloutId id = world.start(inTwoWaves(fleet, 6, 3));

    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.passOfAnother(id).isOver());

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.row(id).verdicts()).isEqualTo(16);
    assertEachOnce(id);
    assertThat(decisions(id)).containsOnlyOnce("next-wave", "finish");
  }
}
