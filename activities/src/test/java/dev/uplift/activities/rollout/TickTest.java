package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.temporal.Steered;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Gate;
import dev.uplift.fleet.rollout.Limits;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.RolloutWait;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.rollout.SteerWish;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/// What a rollout does from its start to its end, and what persons may say meanwhile.
final class TickTest extends RolloutScenario {
  @Test
  void thirtyDevicesInThreeWavesOneAfterTheOther(TestInfo info) {
    String fleet = fleet(info, 30);

    RolloutId id = world.start(RolloutWorld.plan(fleet));

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    List<TargetRow> targets = world.targets(id);
    assertThat(targets).hasSize(30).allMatch(target -> target.state() == TargetState.ENDED);
    assertThat(targets).extracting(target -> target.turn().wave()).contains(1, 2, 3);
    for (int wave = 1; wave < 3; wave++) {
      int now = wave;
      assertThat(targets.stream().filter(target -> target.turn().wave() == now))
          .allSatisfy(earlier ->
              assertThat(targets.stream().filter(target -> target.turn().wave() > now))
                  .allMatch(later ->
                      later.startedAt().orElseThrow().isAfter(earlier.endedAt().orElseThrow())));
    }
    assertEachOnce(id);
    assertThat(decisions(id))
        .containsExactly("start", "next-wave", "start", "next-wave", "start", "finish");
  }

  @Test
  void secondFailurePausesAndAResumeGoesOnAndForgivesIt(TestInfo info) {
    String fleet = fleet(info, 12);
    world.hosts.fail(names(fleet, 12));

    RolloutId id = world.start(inTwoWaves(fleet, 3, 100));

    RolloutRow paused = world.awaitState(id, RolloutState.PAUSED);
    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.ENDED) >= 2);
    assertThat(paused.waiting().map(RolloutWait::what)).contains(Waiting.PAUSED);
    assertThat(paused.waiting().map(RolloutWait::sentence).orElseThrow())
        .contains("uplift", "it stops at 2");
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.in(id, TargetState.STARTED) + world.in(id, TargetState.STARTING) == 0);
    assertThat(world.in(id, TargetState.PENDING)).isPositive();
    assertThat(decisions(id)).as("a pause is one line of the log").endsWith("pause");

    world.hosts.repair();
    assertThat(world.steer(id, Steer.RETRY_FAILED)).isInstanceOf(Steered.Done.class);
    assertThat(world.steer(id, Steer.RESUME)).isInstanceOf(Steered.Done.class);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(world.targets(id)).allMatch(target -> target.verdict().equals(upgraded()));
    assertThat(world.targets(id)).extracting(TargetRow::attempt).contains(2);
    assertEachOnce(id);
  }

  @Test
  void afterAPauseIsAnsweredNothingMoreIsStarted(TestInfo info) {
    String fleet = fleet(info, 12);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 4));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 4);

    assertThat(world.steer(id, Steer.PAUSE)).isInstanceOf(Steered.Done.class);
    world.hosts.goOn();

    await().atMost(RolloutWorld.PATIENCE).until(() -> world.in(id, TargetState.ENDED) == 4);
    assertThat(world.row(id).state()).isEqualTo(RolloutState.PAUSED);
    assertThat(world.in(id, TargetState.PENDING)).isEqualTo(8);
    assertThat(world.steer(id, Steer.PAUSE)).isInstanceOf(Steered.Refused.class);

    world.steer(id, Steer.ABORT);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(preparing(id)).isEqualTo(4);
    await()
        .atMost(RolloutWorld.PATIENCE)
        .until(() -> world.steer(id, Steer.RESUME) instanceof Steered.Over);
  }

  @Test
  void hardAbortBreaksOffWhatIsInWork(TestInfo info) {
    String fleet = fleet(info, 6);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 100));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 6);

    assertThat(world.steer(id, Steer.ABORT_HARD)).isInstanceOf(Steered.Done.class);

    assertThat(ended(id).outcome()).contains(RolloutOutcome.ABORTED);
    assertThat(world.targets(id))
        .allMatch(target -> target.verdict().equals(Optional.of(Verdict.ABORTED)));
  }

  @Test
  void gateOpensForAnotherPersonThanTheAuthorAndOnlyOnce(TestInfo info) {
    String fleet = fleet(info, 4);
    RolloutPlan plan =
        with(
            RolloutWorld.plan(fleet),
            List.of(
                WaveSpec.of(new WaveSize.Count(1)),
                WaveSpec.of(new WaveSize.Rest()).after(new Gate.Approval())),
            Limits.USUAL);
    RolloutId id = world.start(plan);
    world.awaitState(id, RolloutState.WAITING_APPROVAL);

    Steered byAuthor = world.steer(id, SteerWish.of("a1", Steer.APPROVE, "ann", ""));
    Steered byOther = world.steer(id, SteerWish.of("a2", Steer.APPROVE, "bob", "looks good"));

    assertThat(byAuthor)
        .isEqualTo(new Steered.Refused("ann wrote the rollout; expected another person"));
    assertThat(byOther).isEqualTo(new Steered.Done("wave 2 of 2 may begin"));
    assertThat(ended(id).outcome()).contains(RolloutOutcome.UPGRADED);
    assertThat(decisions(id)).containsOnlyOnce("approve");
  }

  @Test
  void skippedDeviceIsLeftOutAndTheRestIsUpgraded(TestInfo info) {
    String fleet = fleet(info, 5);
    world.hosts.holdUp();
    RolloutId id = world.start(inOneWave(fleet, 2));
    await().atMost(RolloutWorld.PATIENCE).until(() -> preparing(id) == 2);
    String waiting =
        world.targets(id).stream()
            .filter(target -> target.state() == TargetState.PENDING)
            .findFirst()
            .orElseThrow()
            .device();

    SteerWish wish =
        new SteerWish(
            "s1",
            Steer.SKIP_DEVICE,
            "bob",
            "",
            Optional.empty(),
            Optional.of(waiting),
            List.of(),
            Optional.empty());
    assertThat(world.steer(id, wish)).isEqualTo(new Steered.Done(waiting + " is left out"));
    assertThat(world.steer(id, wish)).isEqualTo(new Steered.Done(waiting + " is left out"));
    world.hosts.goOn();

    assertThat(ended(id).outcome()).contains(RolloutOutcome.PARTIAL);
    assertThat(world.in(id, TargetState.ENDED)).isEqualTo(4);
    assertThat(world.in(id, TargetState.SKIPPED)).isEqualTo(1);
  }
}
